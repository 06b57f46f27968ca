// Guards: a simulated job is the closed form where there is one, and each iteration has its own
// draws.

#include "adapters/jobs/run/simulated_run.h"

#include <gtest/gtest.h>

#include "tests/jobs/job_text.h"

namespace rrfp {
namespace {

using testing::job_of;
using testing::synthetic;

RunResult simulate(const Job& job) { return simulate_run(job, plan_of(job)); }

TEST(SimulatedRun, Fixed1F1BTakesItsClosedForm) {
    const RunResult result =
        simulate(job_of(synthetic, {"schedule.arbiter=fixed", "train.microbatches=16"}));
    EXPECT_DOUBLE_EQ(result.median_ms(), (16 + 4 - 1) * (10 + 20));
    for (const RankSummary& rank : result.ranks) {
        EXPECT_DOUBLE_EQ(rank.compute_ms, 16 * 30);
        EXPECT_DOUBLE_EQ(rank.blocking_ms, 3 * 30);
        EXPECT_EQ(rank.in_flight_high_water, 4 - rank.rank);
    }
}

TEST(SimulatedRun, IterationsHaveTheirOwnDraws) {
    const RunResult result =
        simulate(job_of(synthetic, {"jitter.compute_cv=0.5", "train.iterations=3"}));
    EXPECT_NE(result.iterations[0].milliseconds, result.iterations[1].milliseconds);
    EXPECT_NE(result.iterations[1].milliseconds, result.iterations[2].milliseconds);
}

TEST(SimulatedRun, GivenDurationsServeEveryIteration) {
    const Job job = job_of(synthetic, {"jitter.compute_cv=0.5", "train.iterations=3"});
    const RunResult drawn = simulate_run(job, plan_of(job));
    const RunResult given = simulate_run(job, plan_of(job), draw_durations(job, 1));
    for (const IterationResult& iteration : given.iterations) {
        EXPECT_EQ(iteration.milliseconds, drawn.iterations[1].milliseconds);
    }
}

}  // namespace
}  // namespace rrfp
