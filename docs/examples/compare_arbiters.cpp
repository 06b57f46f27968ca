// Simulates one iteration of four ranks under three arbiters, on the same drawn durations.

#include <cstdio>
#include <memory>
#include <vector>

#include "adapters/schedules/registry.h"
#include "runtime/core/schedule_options.h"
#include "runtime/simulation/bounds.h"
#include "runtime/simulation/simulator.h"

int main() {
    constexpr int ranks = 4;
    const rrfp::Pipeline pipeline{.placement = rrfp::Placement::loop(ranks), .microbatches = 16};
    const rrfp::StageTimes times{.forward_ms = 10, .backward_ms = 20};
    const rrfp::Jitter jitter{.compute_cv = 0.5};
    const auto durations = rrfp::Durations::draw(pipeline, times, jitter, /*iteration=*/0);

    for (const char* arbiter : {"fixed", "b-priority", "bf"}) {
        const rrfp::ScheduleOptions options{.arbiter = arbiter,
                                            .hint = rrfp::make_hint("1f1b", pipeline),
                                            .limits = std::vector<int>(ranks, 32)};
        rrfp::validate(pipeline, options);
        std::vector<std::unique_ptr<rrfp::Dispatcher>> dispatchers;
        for (int rank = 0; rank < ranks; ++rank) {
            dispatchers.push_back(rrfp::make_dispatcher(pipeline, rank, options));
        }
        const auto result = rrfp::simulate(pipeline, dispatchers, durations);
        std::printf("%-10s %6.1f ms\n", arbiter, result.makespan_ms);
    }
    const double least = rrfp::bounds(pipeline, durations).lower_bound_ms;
    std::printf("no order is below %6.1f ms\n", least);
}
