#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "adapters/plan/limit_rule.h"
#include "adapters/plan/make_plan.h"
#include "adapters/plan/words.h"
#include "megatron_bridge/native/bindings.h"

namespace rrfp::python {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

std::vector<int> fixed_limits(std::vector<int> rank_of_stage, int ranks, int microbatches,
                              bool split_weight) {
    PlanRequest request;
    request.pipeline_ranks = ranks;
    request.placement = std::move(rank_of_stage);
    request.microbatches = microbatches;
    request.split_weight = split_weight;
    request.arbiter = "fixed";
    request.limit_given = false;
    return make_plan(request)->schedule.limits;
}

}  // namespace

void bind_plan(nb::module_& module) {
    module.def(
        "words",
        [] {
            return std::map<std::string, std::vector<std::string>>{
                {"admission", admissions()}, {"agreement", agreements()}, {"waiting", waitings()}};
        },
        "What the keys of [schedule] that name one of several things may be.");
    module.def(
        "limit_bytes", [](const std::string& word) { return limit_rule(word).bytes; }, "word"_a,
        "The bytes of a limit like 512MiB, None of one like 2P-s. ValueError for another word.");
    module.def(
        "limits",
        [](const WordOrNumbers& limit, int ranks) { return limits_of(limit, {.ranks = ranks}); },
        "limit"_a, "ranks"_a, "The limit of each pipeline rank; not for one in bytes.");
    module.def("fixed_limits", &fixed_limits, nb::kw_only(), "rank_of_stage"_a, "ranks"_a,
               "microbatches"_a, "split_weight"_a,
               "What the fixed schedule of this shape keeps in flight at each pipeline rank.");
    module.def(
        "limit_in_bytes",
        [](std::int64_t bytes, std::int64_t each) { return limit_in_bytes(bytes, each); },
        "bytes"_a, "each"_a, "How many microbatches that each keep so much fit; 0 for none.");
}

}  // namespace rrfp::python
