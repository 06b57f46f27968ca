// Invariant: what is expected of a task is the moving average of those of its (kind, stage) that
// ran here; where none did, the nearest thing that is known.

#include "runtime/core/learnt_durations.h"

#include <gtest/gtest.h>

namespace rrfp {
namespace {

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

TEST(LearntDurations, NothingSeenMakesAllTasksAlike) {
    const LearntDurations durations(3);
    EXPECT_EQ(durations.expected_ms(F, 0), durations.expected_ms(B, 2));
    EXPECT_GT(durations.expected_ms(F, 0), 0);
}

TEST(LearntDurations, AreAMovingAverage) {
    LearntDurations durations(1);
    durations.learn({F, 0, 0}, 8);
    EXPECT_DOUBLE_EQ(durations.expected_ms(F, 0), 8);
    durations.learn({F, 0, 1}, 16);
    EXPECT_DOUBLE_EQ(durations.expected_ms(F, 0), 9);
    for (int microbatch = 0; microbatch < 60; ++microbatch) {
        durations.learn({F, 0, microbatch}, 30);
    }
    EXPECT_NEAR(durations.expected_ms(F, 0), 30, 0.01) << "it follows a change";
}

TEST(LearntDurations, OtherStagesAndKindsStandInForWhatHasNotRun) {
    LearntDurations durations(3);
    durations.learn({F, 0, 0}, 10);
    EXPECT_DOUBLE_EQ(durations.expected_ms(F, 2), 10);
    EXPECT_DOUBLE_EQ(durations.expected_ms(B, 2), 10);
    durations.learn({F, 1, 0}, 20);
    durations.learn({B, 1, 0}, 45);
    EXPECT_DOUBLE_EQ(durations.expected_ms(F, 2), 15);
    EXPECT_DOUBLE_EQ(durations.expected_ms(B, 0), 45);
    EXPECT_DOUBLE_EQ(durations.expected_ms(W, 0), 30) << "the mean of the kinds' means";
}

}  // namespace
}  // namespace rrfp
