// The bounds of a sample worked out by hand.

#include "runtime/simulation/bounds.h"

#include <gtest/gtest.h>

#include "runtime/simulation/bounds/forced_idle_bound.h"
#include "runtime/simulation/bounds/in_flight_bound.h"
#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

TEST(Bounds, OfAnEvenPipeline) {
    const Pipeline pipeline = one_stage_a_rank(4, 16);
    const Bounds found =
        bounds(pipeline, Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, {}, 0));
    EXPECT_DOUBLE_EQ(found.critical_path_ms, 4 * 30);
    for (int rank = 0; rank < 4; ++rank) {
        // Work, the forwards before the first task, the backwards after the last.
        EXPECT_DOUBLE_EQ(found.rank_work_ms[rank], 16 * 30 + rank * 10 + rank * 20);
    }
    EXPECT_DOUBLE_EQ(found.lower_bound_ms, 570);
}

TEST(Bounds, CountMessagesBetweenRanksOnly) {
    const Pipeline v{.placement = Placement({0, 1, 1, 0}), .microbatches = 1};
    Durations sample = Durations::draw(v, {.forward_ms = 1, .backward_ms = 1}, {}, 0);
    for (int stage = 0; stage < 4; ++stage) {
        sample.set_message_ms({TaskKind::forward, stage, 0}, 10);
        sample.set_message_ms({TaskKind::backward, stage, 0}, 100);
    }
    EXPECT_DOUBLE_EQ(bounds(v, sample).critical_path_ms, 8 + 2 * 10 + 2 * 100);
}

TEST(Bounds, AWeightGradientEndsAPathAndItsRanksWork) {
    const Pipeline pipeline{
        .placement = Placement::loop(2), .microbatches = 1, .split_weight = true};
    Durations sample =
        Durations::draw(pipeline, {.forward_ms = 1, .backward_ms = 5, .weight_ms = 3}, {}, 0);
    EXPECT_DOUBLE_EQ(bounds(pipeline, sample).critical_path_ms, 1 + 1 + 2 + 2 + 3);
    sample.set_task_ms({TaskKind::weight_gradient, 1, 0}, 50);
    EXPECT_DOUBLE_EQ(bounds(pipeline, sample).critical_path_ms, 1 + 1 + 2 + 50);
    EXPECT_DOUBLE_EQ(bounds(pipeline, sample).rank_work_ms[1], 1 + 1 + 2 + 50);
}

TEST(Bounds, OneInFlightMeansOneMicrobatchAfterTheOther) {
    const Pipeline pipeline = one_stage_a_rank(4, 16);
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, {}, 0);
    EXPECT_DOUBLE_EQ(in_flight_bound_ms(pipeline, sample, flat(pipeline, 1)), 16 * 4 * 30);
    EXPECT_DOUBLE_EQ(
        run_case(pipeline, {.arbiter = "bf", .limits = flat(pipeline, 1)}, sample).makespan_ms,
        16 * 4 * 30);
}

TEST(Bounds, ARankIdlesUntilItsFirstBackwardAndAfterItsLastForward) {
    const Pipeline pipeline = one_stage_a_rank(4, 16);
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, {}, 0);
    // Rank 0 with 1 in flight: its first backward is possible at 100 ms, one forward lies before;
    // after the last forward the microbatch has 30 ms forwards and 80 ms backwards to go, of which
    // the rank's own work is one backward.
    EXPECT_DOUBLE_EQ(forced_idle_bound_ms(pipeline, sample, std::vector<int>{1, 16, 16, 16}),
                     100 + (16 * 30 - 10 - 20) + 110);
    EXPECT_DOUBLE_EQ(forced_idle_bound_ms(pipeline, sample, falling(pipeline)), 570);
}

}  // namespace
}  // namespace rrfp
