// Invariant: `tide` at the memory of 1F1B is 1F1B, task by task, where links keep order; with more
// it gains what an independent simulator found; and however limits, durations and messages fall it
// never waits for ever, though it waits with work at hand.

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "runtime/core/hint_check.h"
#include "tests/simulation/random_hint.h"
#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

ScheduleOptions of(const std::string& arbiter, const Pipeline& pipeline, std::vector<int> limits) {
    return {.arbiter = arbiter, .hint = make_hint("1f1b", pipeline), .limits = std::move(limits)};
}

RC_GTEST_PROP(Tide, Is1F1BAtItsMemoryWhereLinksKeepOrder, ()) {
    const int ranks = *rc::gen::inRange(1, 9);
    const Pipeline pipeline = one_stage_a_rank(ranks, *rc::gen::inRange(1, 4 * ranks + 1));
    const Jitter jitter{.compute_cv = *rc::gen::element(0.0, 0.5, 1.5),
                        .microbatch_cv = *rc::gen::element(0.0, 0.7),
                        .seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000)};
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, jitter, 0);
    const auto fixed = run_case(pipeline, of("fixed", pipeline, falling(pipeline)), sample);
    const auto tide = run_case(pipeline, of("tide", pipeline, falling(pipeline)), sample);
    RC_ASSERT(tide.makespan_ms == fixed.makespan_ms);
    for (int rank = 0; rank < ranks; ++rank) {
        for (std::size_t step = 0; step < fixed.ranks[rank].tasks.size(); ++step) {
            RC_ASSERT(tide.ranks[rank].tasks[step].task == fixed.ranks[rank].tasks[step].task);
            RC_ASSERT(tide.ranks[rank].tasks[step].start_ms ==
                      fixed.ranks[rank].tasks[step].start_ms);
        }
    }
}

/// Runs `cases` small pipelines with random limits and messages that overtake; each must end.
void run_small_cases(const std::string& arbiter, bool split, bool deterministic, int cases) {
    for (int seed = 0; seed < cases; ++seed) {
        const auto draw = [&](std::uint64_t what, int count) {
            return 1 + static_cast<int>(keyed_bits({static_cast<std::uint64_t>(seed), what}) %
                                        static_cast<std::uint64_t>(count));
        };
        const int ranks = draw(0, 6);
        const Pipeline pipeline{
            .placement = Placement::loop(ranks), .microbatches = draw(1, 8), .split_weight = split};
        std::vector<int> limits;
        for (int rank = 0; rank < ranks; ++rank) {
            limits.push_back(draw(2 + rank, 5));
        }
        ScheduleOptions options = of(arbiter, pipeline, limits);
        options.deterministic = deterministic;
        const Jitter jitter{
            .compute_cv = 1, .comm_mean_ms = 60, .seed = static_cast<std::uint64_t>(seed)};
        const Durations sample =
            seed % 2 == 0
                ? tied_sample(pipeline, seed)
                : Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20, .weight_ms = 8},
                                  jitter, 0);
        const auto result = run_case(pipeline, options, sample);
        for (int rank = 0; rank < ranks; ++rank) {
            EXPECT_LE(result.ranks[rank].in_flight_high_water, limits[rank]);
        }
    }
}

TEST(Tide, EndsUnderAnyLimits) {
    run_small_cases("tide", false, false, 4000);
    run_small_cases("tide", false, true, 2000);
    run_small_cases("tide", true, false, 2000);
    run_small_cases("tide", true, true, 1000);
    run_small_cases("tide-w", true, false, 1000);
    run_small_cases("tide-w", true, true, 1000);
}

/// Geometric mean of fixed 1F1B's makespan over that of `arbiter` with `more` than its memory.
double over_fixed(int ranks, const Jitter& jitter, const std::string& arbiter, int more) {
    constexpr int samples = 60;
    const Pipeline pipeline = one_stage_a_rank(ranks, 4 * ranks);
    double logarithms = 0;
    for (int iteration = 0; iteration < samples; ++iteration) {
        const Durations sample =
            Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20}, jitter, iteration);
        const auto makespan = [&](const std::string& name, int extra) {
            return run_case(pipeline, of(name, pipeline, falling(pipeline, extra)), sample)
                .makespan_ms;
        };
        logarithms += std::log(makespan("fixed", 0) / makespan(arbiter, more));
    }
    return std::exp(logarithms / samples);
}

TEST(Tide, GainsWhatTheReferenceFound) {
    const Jitter jitter{.compute_cv = 0.5};
    const Jitter length{.microbatch_cv = 0.5};
    const Jitter messages{.comm_mean_ms = 10};
    EXPECT_NEAR(over_fixed(4, jitter, "tide", 1), 1.076, 0.02);
    EXPECT_NEAR(over_fixed(4, length, "tide", 1), 1.120, 0.02);
    EXPECT_NEAR(over_fixed(4, messages, "tide", 0), 1.017, 0.02);
    EXPECT_NEAR(over_fixed(4, messages, "tide", 1), 1.191, 0.02);
    EXPECT_NEAR(over_fixed(8, jitter, "tide", 2), 1.089, 0.02);
    EXPECT_NEAR(over_fixed(8, length, "tide", 8), 1.383, 0.03);
}

TEST(Tide, BeatsAlternationNearTheMemoryOf1F1B) {
    for (const int ranks : {4, 8}) {
        for (const Jitter& jitter : {Jitter{.compute_cv = 0.5}, Jitter{.microbatch_cv = 0.5}}) {
            EXPECT_GT(over_fixed(ranks, jitter, "tide", 0), over_fixed(ranks, jitter, "bf", 0));
            EXPECT_GT(over_fixed(ranks, jitter, "tide", 1), over_fixed(ranks, jitter, "bf", 1));
        }
    }
}

}  // namespace
}  // namespace rrfp
