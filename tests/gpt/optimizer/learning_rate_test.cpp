// The learning rate is the documented closed form at every iteration.
#include "adapters/gpt/optimizer/learning_rate.h"

#include <cmath>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

LearningRates schedule(int iterations, int warmup) {
    return {.highest = 0.8, .lowest = 0.2, .warmup = warmup, .iterations = iterations};
}

TEST(LearningRateTest, RisesLinearlyThenFallsAlongACosine) {
    const LearningRates rates = schedule(12, 4);
    EXPECT_DOUBLE_EQ(learning_rate_at(rates, 0), 0.2);
    EXPECT_DOUBLE_EQ(learning_rate_at(rates, 1), 0.4);
    EXPECT_DOUBLE_EQ(learning_rate_at(rates, 3), 0.8);
    EXPECT_DOUBLE_EQ(learning_rate_at(rates, 4), 0.8);
    EXPECT_DOUBLE_EQ(learning_rate_at(rates, 6), 0.2 + 0.6 * (0.5 + std::sqrt(2) / 4));
    EXPECT_DOUBLE_EQ(learning_rate_at(rates, 8), 0.5);
    EXPECT_DOUBLE_EQ(learning_rate_at(rates, 12), 0.2);
}

TEST(LearningRateTest, StaysAtTheMinimumAfterTheEnd) {
    EXPECT_DOUBLE_EQ(learning_rate_at(schedule(12, 4), 500), 0.2);
}

TEST(LearningRateTest, WithoutWarmupItStartsAtTheFullRate) {
    EXPECT_DOUBLE_EQ(learning_rate_at(schedule(10, 0), 0), 0.8);
}

TEST(LearningRateTest, AWarmupAsLongAsTheTrainingNeverFalls) {
    const LearningRates rates = schedule(4, 4);
    EXPECT_DOUBLE_EQ(learning_rate_at(rates, 3), 0.8);
    EXPECT_TRUE(std::isfinite(learning_rate_at(rates, 4)));
}

}  // namespace
}  // namespace rrfp
