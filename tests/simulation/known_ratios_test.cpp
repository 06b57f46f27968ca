// Under variability, each arbiter's gain over fixed 1F1B is the one an independent simulator found:
// geometric means over 60 samples of F 10 ms, B 20 ms, M = 4 P, cv 0.5; and `bf` really alternates.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

struct Scenario {
    int ranks;
    Jitter jitter;
};

constexpr int samples = 200;
constexpr int unlimited = 1000;

/// Geometric mean of `base`'s makespan over `arbiter`'s, on the same samples.
double speedup(const Scenario& scenario, const ScheduleOptions& base,
               const ScheduleOptions& tested) {
    const Pipeline pipeline = one_stage_a_rank(scenario.ranks, 4 * scenario.ranks);
    double logarithms = 0;
    for (int iteration = 0; iteration < samples; ++iteration) {
        const Durations sample = Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20},
                                                 scenario.jitter, iteration);
        logarithms += std::log(run_case(pipeline, base, sample).makespan_ms /
                               run_case(pipeline, tested, sample).makespan_ms);
    }
    return std::exp(logarithms / samples);
}

double over_fixed(const Scenario& scenario, const std::string& arbiter, int more_than_1f1b) {
    const Pipeline pipeline = one_stage_a_rank(scenario.ranks, 4 * scenario.ranks);
    const HintOrder hint = make_hint("1f1b", pipeline);
    return speedup(scenario, {.arbiter = "fixed", .hint = hint, .limits = falling(pipeline)},
                   {.arbiter = arbiter, .limits = falling(pipeline, more_than_1f1b)});
}

constexpr double tolerance = 0.012;  // the reference's own standard error is near 0.006

TEST(KnownRatios, Jitter) {
    const Scenario jitter{4, {.compute_cv = 0.5}};
    EXPECT_NEAR(over_fixed(jitter, "bf", 0), 0.985, tolerance);
    EXPECT_NEAR(over_fixed(jitter, "bf", 1), 1.068, tolerance);
    EXPECT_NEAR(over_fixed(jitter, "bf", 4), 1.172, tolerance);
    EXPECT_NEAR(over_fixed(jitter, "bf", unlimited), 1.182, tolerance);
}

TEST(KnownRatios, Length) {
    const Scenario length{4, {.microbatch_cv = 0.5}};
    EXPECT_NEAR(over_fixed(length, "bf", 0), 0.981, tolerance);
    EXPECT_NEAR(over_fixed(length, "bf", 4), 1.276, 0.02);
}

TEST(KnownRatios, Messages) {
    const Scenario messages{4, {.comm_mean_ms = 10}};
    EXPECT_NEAR(over_fixed(messages, "bf", 0), 1.007, tolerance);
    EXPECT_NEAR(over_fixed(messages, "bf", 4), 1.440, 0.02);
}

TEST(KnownRatios, EightRanks) {
    const Scenario jitter{8, {.compute_cv = 0.5}};
    EXPECT_NEAR(over_fixed(jitter, "bf", 0), 0.976, tolerance);
    EXPECT_NEAR(over_fixed(jitter, "bf", 8), 1.208, tolerance);
}

TEST(KnownRatios, AlternationBeatsAnyBackwardFirst) {
    const Scenario jitter{8, {.compute_cv = 0.5}};
    const Pipeline pipeline = one_stage_a_rank(8, 32);
    EXPECT_GT(speedup(jitter, {.arbiter = "b-priority", .limits = falling(pipeline, 8)},
                      {.arbiter = "bf", .limits = falling(pipeline, 8)}),
              1.05);
}

TEST(KnownRatios, FbIsNearlyBf) {
    const Scenario jitter{4, {.compute_cv = 0.5}};
    const Pipeline pipeline = one_stage_a_rank(4, 16);
    EXPECT_NEAR(speedup(jitter, {.arbiter = "bf", .limits = flat(pipeline, 32)},
                        {.arbiter = "fb", .limits = flat(pipeline, 32)}),
                1, 0.005);
}

}  // namespace
}  // namespace rrfp
