// Without variability the makespan is the textbook's.

#include <gtest/gtest.h>

#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

constexpr double forward = 10;
constexpr double backward = 20;

double makespan(const Pipeline& pipeline, const std::string& arbiter, const std::string& hint,
                const std::vector<int>& limits) {
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = forward, .backward_ms = backward}, {}, 0);
    return run_case(pipeline,
                    {.arbiter = arbiter, .hint = make_hint(hint, pipeline), .limits = limits},
                    sample)
        .makespan_ms;
}

TEST(ClosedForms, Fixed1F1BAndGPipe) {
    for (const int ranks : {1, 2, 4, 8}) {
        for (const int microbatches : {1, 2, 3, 8, 16}) {
            const Pipeline pipeline = one_stage_a_rank(ranks, microbatches);
            const double expected = (microbatches + ranks - 1) * (forward + backward);
            EXPECT_DOUBLE_EQ(makespan(pipeline, "fixed", "1f1b", falling(pipeline)), expected)
                << ranks << " ranks, " << microbatches << " microbatches";
            EXPECT_DOUBLE_EQ(makespan(pipeline, "fixed", "gpipe", flat(pipeline, microbatches)),
                             expected)
                << ranks << " ranks, " << microbatches << " microbatches";
        }
    }
}

TEST(ClosedForms, ReadinessCostsNothingWithoutVariability) {
    for (const std::string arbiter : {"bf", "fb", "b-priority", "order"}) {
        const Pipeline pipeline = one_stage_a_rank(4, 16);
        EXPECT_DOUBLE_EQ(makespan(pipeline, arbiter, "1f1b", falling(pipeline)), 570) << arbiter;
    }
}

TEST(ClosedForms, ALimitOfOneSerialisesMicrobatches) {
    const Pipeline pipeline = one_stage_a_rank(3, 5);
    EXPECT_DOUBLE_EQ(makespan(pipeline, "bf", "1f1b", flat(pipeline, 1)),
                     5 * 3 * (forward + backward));
}

TEST(ClosedForms, OneRankIsNeverIdle) {
    const Pipeline pipeline = one_stage_a_rank(1, 7);
    const Durations sample = Durations::draw(pipeline, {.forward_ms = 3, .backward_ms = 5},
                                             {.compute_cv = 1, .comm_mean_ms = 100}, 4);
    double work = 0;
    for (int microbatch = 0; microbatch < 7; ++microbatch) {
        work += sample.task_ms({TaskKind::forward, 0, microbatch}) +
                sample.task_ms({TaskKind::backward, 0, microbatch});
    }
    const auto result = run_case(pipeline, {.arbiter = "bf", .limits = {2}}, sample);
    EXPECT_NEAR(result.makespan_ms, work, 1e-9);
    EXPECT_NEAR(result.ranks[0].blocking_ms, 0, 1e-9);
}

TEST(ClosedForms, EightRanksCountComputeAndBlocking) {
    // P 8, M 32, F 5, B 10.
    const Pipeline pipeline = one_stage_a_rank(8, 32);
    const Durations sample = Durations::draw(pipeline, {.forward_ms = 5, .backward_ms = 10}, {}, 0);
    const auto result = run_case(
        pipeline,
        {.arbiter = "fixed", .hint = make_hint("1f1b", pipeline), .limits = falling(pipeline)},
        sample);
    EXPECT_DOUBLE_EQ(result.makespan_ms, 585);
    for (const RankIteration& rank : result.ranks) {
        EXPECT_DOUBLE_EQ(rank.compute_ms, 480);
        EXPECT_DOUBLE_EQ(rank.blocking_ms, 105);
    }
    EXPECT_EQ(result.ranks[0].in_flight_high_water, 8);
    EXPECT_EQ(result.ranks[7].in_flight_high_water, 1);
}

}  // namespace
}  // namespace rrfp
