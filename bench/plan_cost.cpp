// What a plan costs at a size: to make it, once, and at each rank to read its share and make a
// dispatcher of it.
//
//     plan_cost [ranks microbatches [arbiter]]      128, 192 and tide without
#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/core.h>

#include "adapters/plan/make_plan.h"

namespace {

template <class Work>
auto timed(const char* what, Work work) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = work();
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - begin;
    fmt::print("{:<40}{:8.2f} ms\n", what, passed.count());
    return result;
}

}  // namespace

int main(int count, char** words) {
    rrfp::PlanRequest request;
    request.pipeline_ranks = count > 2 ? std::atoi(words[1]) : 128;
    request.microbatches = count > 2 ? std::atoi(words[2]) : 192;
    if (count > 3) request.arbiter = words[3];
    const int rank = request.pipeline_ranks / 2;

    const rrfp::Plan made = timed("make the plan", [&] { return rrfp::make_plan(request); });
    const rrfp::Plan read =
        timed("read a rank's share", [&] { return rrfp::Plan::read(made.text(), rank); });
    const auto dispatcher = timed("make its dispatcher", [&] {
        return rrfp::make_dispatcher(read->pipeline, rank, loaded_schedule(read));
    });
    fmt::print("{:<40}{:8.2f} KB\n", "text", static_cast<double>(made.text().size()) / 1e3);
    return read.hash() == made.hash() && dispatcher ? 0 : 1;
}
