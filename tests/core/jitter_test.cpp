// Factors keep the mean, are keyed by (seed, iteration, stage, microbatch, kind), and a
// microbatch's length factor is shared by all its tasks.

#include "runtime/core/jitter.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

TEST(Jitter, NoneGivesFactorsOfOneAndNoDelay) {
    const Jitter none;
    EXPECT_EQ(none.task_factor(3, {B, 1, 2}), 1);
    EXPECT_EQ(none.message_delay_ms(3, {B, 1, 2}), 0);
}

TEST(Jitter, EachPartOfTheKeyCounts) {
    const auto factor = [](std::uint64_t seed, std::uint64_t iteration, const Task& task) {
        return Jitter{.compute_cv = 0.5, .seed = seed}.task_factor(iteration, task);
    };
    const std::set<double> factors = {factor(1, 1, {F, 1, 1}), factor(2, 1, {F, 1, 1}),
                                      factor(1, 2, {F, 1, 1}), factor(1, 1, {B, 1, 1}),
                                      factor(1, 1, {F, 2, 1}), factor(1, 1, {F, 1, 2})};
    EXPECT_EQ(factors.size(), 6U);
    EXPECT_EQ(factor(1, 1, {F, 1, 1}), factor(1, 1, {F, 1, 1}));
}

TEST(Jitter, ALengthFactorIsSharedByAMicrobatch) {
    const Jitter jitter{.microbatch_cv = 0.5};
    const double factor = jitter.task_factor(0, {F, 0, 5});
    EXPECT_NE(factor, 1);
    EXPECT_EQ(jitter.task_factor(0, {B, 7, 5}), factor);
    EXPECT_NE(jitter.task_factor(0, {F, 0, 6}), factor);
    EXPECT_NE(jitter.task_factor(1, {F, 0, 5}), factor);
}

TEST(Jitter, TheTwoFactorsMultiply) {
    const Jitter both{.compute_cv = 0.5, .microbatch_cv = 0.7, .seed = 4};
    const Jitter task{.compute_cv = 0.5, .seed = 4};
    const Jitter length{.microbatch_cv = 0.7, .seed = 4};
    EXPECT_DOUBLE_EQ(both.task_factor(1, {F, 2, 3}),
                     task.task_factor(1, {F, 2, 3}) * length.task_factor(1, {F, 2, 3}));
}

struct Sample {
    double mean = 0;
    double cv = 0;
};

Sample delays(const Jitter& jitter) {
    constexpr int count = 100'000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < count; ++i) {
        const double ms = jitter.message_delay_ms(0, {i % 2 == 0 ? F : B, i % 7, i});
        sum += ms;
        squares += ms * ms;
    }
    const double mean = sum / count;
    return {mean, std::sqrt(squares / count - mean * mean) / mean};
}

TEST(Jitter, DelaysAreExponentialUnlessACvIsGiven) {
    const Sample exponential = delays({.comm_mean_ms = 3});
    EXPECT_NEAR(exponential.mean, 3, 0.05);
    EXPECT_NEAR(exponential.cv, 1, 0.03);
    const Sample log_normal = delays({.comm_mean_ms = 3, .comm_cv = 0.3});
    EXPECT_NEAR(log_normal.mean, 3, 0.02);
    EXPECT_NEAR(log_normal.cv, 0.3, 0.01);
    EXPECT_EQ(delays({.comm_mean_ms = 3, .comm_cv = 0}).mean, 3);
}

TEST(StageTimes, AreScaledAStage) {
    const StageTimes times{
        .forward_ms = 10, .backward_ms = 20, .weight_ms = 8, .stage_scale = {1, 1.5}};
    EXPECT_EQ(times.base_ms({F, 1, 0}, false), 15);
    EXPECT_EQ(times.base_ms({B, 0, 0}, false), 20);
    EXPECT_EQ(times.base_ms({B, 0, 0}, true), 12);
    EXPECT_EQ(times.base_ms({W, 1, 0}, true), 12);
}

}  // namespace
}  // namespace rrfp
