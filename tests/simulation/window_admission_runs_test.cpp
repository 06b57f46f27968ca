// Invariant: under window admission every arbiter ends, on every placement, split or not,
// deterministic or not, and D never passes the limit, though it may be as low as the hint's own
// peak.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "runtime/core/hint_check.h"
#include "tests/simulation/random_hint.h"
#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

/// Each kind of a chunk in microbatch order.
class InOrder final : public Filter {
  public:
    void restrict(const RankState& state, Admission& admission) const override {
        for (int kind = 0; kind < task_kinds; ++kind) {
            for (int chunk = 0; chunk < state.chunks(); ++chunk) {
                const auto direction = static_cast<TaskKind>(kind);
                admission.limit(direction, chunk, state.next_undispatched(direction, chunk) + 1);
            }
        }
    }
};

/// Lists of a run that chose at random, but each kind of a stage in microbatch order.
HintOrder in_order_run(const Pipeline& pipeline, std::uint64_t seed) {
    std::vector<std::unique_ptr<Dispatcher>> dispatchers;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        std::vector<std::unique_ptr<Filter>> filters;
        filters.push_back(std::make_unique<InOrder>());
        dispatchers.push_back(std::make_unique<Dispatcher>(
            pipeline, rank, std::make_unique<RandomArbiter>(pipeline, rank, seed),
            std::move(filters)));
    }
    HintOrder hint;
    for (const RankIteration& rank :
         simulate(pipeline, dispatchers, tied_sample(pipeline, seed)).ranks) {
        hint.emplace_back();
        for (const TaskRecord& record : rank.tasks) {
            hint.back().push_back(record.task);
        }
    }
    return hint;
}

Placement placement_of(int ranks, int chunks, bool wave) {
    return wave ? Placement::wave(ranks, chunks) : Placement::loop(ranks, chunks);
}

std::vector<std::string> window_arbiters(bool split) {
    std::vector<std::string> names;
    for (const ArbiterEntry& entry : arbiter_registry()) {
        if (std::string(entry.name) != "fixed" && (split || !entry.needs_split)) {
            names.emplace_back(entry.name);
        }
    }
    return names;
}

RC_GTEST_PROP(WindowAdmission, EndsWithinTheLimit, ()) {
    const bool split = *rc::gen::arbitrary<bool>();
    const Pipeline pipeline{
        .placement = placement_of(*rc::gen::inRange(1, 6), *rc::gen::inRange(1, 4),
                                  *rc::gen::arbitrary<bool>()),
        .microbatches = *rc::gen::inRange(1, 13),
        .split_weight = split};
    const HintOrder hint = in_order_run(pipeline, *rc::gen::inRange<std::uint64_t>(0, 1'000'000));
    const int more = *rc::gen::element(0, 0, 1, 3);
    std::vector<int> limits = hint_levels(pipeline, hint);
    for (int& limit : limits) {
        limit += more;
    }
    const Durations sample = random_sample(pipeline);
    for (const std::string& arbiter : window_arbiters(split)) {
        RC_TAG(arbiter);
        const auto result = run_case(pipeline,
                                     {.arbiter = arbiter,
                                      .hint = hint,
                                      .limits = limits,
                                      .deterministic = *rc::gen::arbitrary<bool>(),
                                      .admission = AdmissionRule::window},
                                     sample);
        for (std::size_t rank = 0; rank < limits.size(); ++rank) {
            RC_ASSERT(result.ranks[rank].in_flight_high_water <= limits[rank]);
        }
    }
}

}  // namespace
}  // namespace rrfp
