// The learning rate is the documented closed form at every iteration.
#include "adapters/torch/learning_rate.h"

#include <cmath>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

TrainSection schedule(int iterations, int warmup) {
    TrainSection train;
    train.learning_rate = 0.8;
    train.min_learning_rate = 0.2;
    train.iterations = iterations;
    train.warmup_iterations = warmup;
    return train;
}

TEST(LearningRateTest, RisesLinearlyThenFallsAlongACosine) {
    const TrainSection train = schedule(12, 4);
    EXPECT_DOUBLE_EQ(learning_rate_at(train, 0), 0.2);
    EXPECT_DOUBLE_EQ(learning_rate_at(train, 1), 0.4);
    EXPECT_DOUBLE_EQ(learning_rate_at(train, 3), 0.8);
    EXPECT_DOUBLE_EQ(learning_rate_at(train, 4), 0.8);
    EXPECT_DOUBLE_EQ(learning_rate_at(train, 6), 0.2 + 0.6 * (0.5 + std::sqrt(2) / 4));
    EXPECT_DOUBLE_EQ(learning_rate_at(train, 8), 0.5);
    EXPECT_DOUBLE_EQ(learning_rate_at(train, 12), 0.2);
}

TEST(LearningRateTest, StaysAtTheMinimumAfterTheEnd) {
    EXPECT_DOUBLE_EQ(learning_rate_at(schedule(12, 4), 500), 0.2);
}

TEST(LearningRateTest, WithoutWarmupItStartsAtTheFullRate) {
    EXPECT_DOUBLE_EQ(learning_rate_at(schedule(10, 0), 0), 0.8);
}

TEST(LearningRateTest, AWarmupAsLongAsTheTrainingNeverFalls) {
    const TrainSection train = schedule(4, 4);
    EXPECT_DOUBLE_EQ(learning_rate_at(train, 3), 0.8);
    EXPECT_TRUE(std::isfinite(learning_rate_at(train, 4)));
}

}  // namespace
}  // namespace rrfp
