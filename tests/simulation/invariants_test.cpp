// Whatever the placement, the durations, the delays, the limits and the arbiter: the iteration
// ends, each task runs once and after what it reads, the limit holds, the buffers stay within their
// bounds, and no makespan beats the lower bounds.

#include <gtest/gtest.h>

#include "runtime/simulation/bounds.h"
#include "runtime/simulation/bounds/forced_idle_bound.h"
#include "runtime/simulation/bounds/in_flight_bound.h"
#include "tests/simulation/property_cases.h"
#include "tests/simulation/run_checks.h"

namespace rrfp {
namespace {

constexpr double rounding = 1e-9;  // relative: sums are taken in another order than in the run

/// Bounds for what the options allow, and the sharper ones for what the run used.
void check_lower_bounds(const RandomCase& example, const SimulationResult& result) {
    const double least = result.makespan_ms * (1 + rounding) + rounding;
    RC_ASSERT(least >= bounds(example.pipeline, example.sample).lower_bound_ms);
    for (const auto& most :
         {most_in_flight(example.pipeline, example.options), in_flight_high_water(result)}) {
        RC_ASSERT(least >= in_flight_bound_ms(example.pipeline, example.sample, most));
        RC_ASSERT(least >= forced_idle_bound_ms(example.pipeline, example.sample, most));
    }
}

void check_run(const RandomCase& example, const SimulationResult& result) {
    const RunTable table(example.pipeline, result);
    check_times(example, result, table);
    check_limits(example, result);
    check_buffers(example, result, table);
    check_lower_bounds(example, result);
}

TEST(Guarantees, HoldUnderEveryArbiter) {
    check_property([] {
        const RandomCase example = random_case(arbiter_names());
        RC_LOG() << describe(example);
        check_run(example, run_case(example.pipeline, example.options, example.sample));
    });
}

TEST(Guarantees, HoldWhateverIsChosen) {
    check_property([] {
        RandomCase example = random_case({"bf"});
        example.options.arbiter = "random";
        RC_LOG() << describe(example);
        const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
        check_run(example, run_random(example.pipeline, example.options, example.sample, seed));
    });
}

TEST(Guarantees, HoldWithOneMicrobatchInFlight) {
    check_property([] {
        RandomCase example = random_case(readiness_first());
        example.options.admission = AdmissionRule::drain;
        example.options.limits = flat(example.pipeline, 1);
        RC_LOG() << describe(example);
        check_run(example, run_case(example.pipeline, example.options, example.sample));
    });
}

TEST(Guarantees, ARunIsReproducible) {
    check_property([] {
        const RandomCase example = random_case(arbiter_names(), {.ranks = 8});
        RC_LOG() << describe(example);
        const auto first = run_case(example.pipeline, example.options, example.sample);
        const auto second = run_case(example.pipeline, example.options, example.sample);
        RC_ASSERT(first.makespan_ms == second.makespan_ms);
        for (std::size_t rank = 0; rank < first.ranks.size(); ++rank) {
            for (std::size_t i = 0; i < first.ranks[rank].tasks.size(); ++i) {
                RC_ASSERT(first.ranks[rank].tasks[i].task == second.ranks[rank].tasks[i].task);
            }
        }
    });
}

TEST(Guarantees, EvaluationRunsForwardsAlone) {
    check_property([] {
        RandomCase example = random_case({"bf", "f-priority", "order"}, {.ranks = 8});
        example.pipeline.split_weight = false;
        example.pipeline.forward_only = true;
        example.options.admission = AdmissionRule::drain;
        example.options.hint = make_hint("gpipe", example.pipeline);
        RC_LOG() << describe(example);
        const auto result = run_case(example.pipeline, example.options, example.sample);
        const RunTable table(example.pipeline, result);
        check_times(example, result, table);
        for (const RankIteration& rank : result.ranks) {
            RC_ASSERT(rank.in_flight_high_water == 1);
            for (const Occupancy& buffer : rank.buffers) {
                RC_ASSERT(buffer.entries() == 0);
            }
        }
    });
}

}  // namespace
}  // namespace rrfp
