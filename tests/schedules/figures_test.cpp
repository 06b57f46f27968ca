// Schedules hold what their papers say and take as long: peaks and makespans against closed forms,
// as simulated with the arbiter that follows the list.

#include <gtest/gtest.h>

#include "runtime/core/hint_check.h"
#include "tests/schedules/shapes.h"
#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

constexpr double forward = 10;
constexpr double backward = 14;
constexpr double weight = 6;
const std::vector<int> rank_counts = {1, 2, 3, 4, 5, 8};
const std::vector<int> microbatch_counts = {1, 2, 3, 5, 8, 15, 16, 20};

std::vector<int> peaks(const Pipeline& pipeline, const HintOrder& order) {
    std::vector<int> peaks;
    for (const auto& list : order) {
        peaks.push_back(peak_in_flight(pipeline, list));
    }
    return peaks;
}

/// `shape` followed as listed; `times.backward_ms` is the whole backward, W included.
SimulationResult followed(const Shape& shape, const StageTimes& times) {
    const Pipeline pipeline = shape.schedule().pipeline;
    const HintOrder order = make_hint(shape.name, pipeline);
    return run_case(pipeline, {.arbiter = "fixed", .hint = order, .limits = peaks(pipeline, order)},
                    Durations::draw(pipeline, times, {}, 0));
}

/// The longest idle time of a rank between its first task and its last.
double idle_inside(const SimulationResult& result) {
    double most = 0;
    for (const RankIteration& rank : result.ranks) {
        most = std::max(most,
                        rank.tasks.back().end_ms - rank.tasks.front().start_ms - rank.compute_ms);
    }
    return most;
}

TEST(Figures, ZBH1HasItsBubbleAtTheMemoryOf1F1B) {
    for (const int ranks : rank_counts) {
        for (const int microbatches : microbatch_counts) {
            const Shape shape{"zb-h1", ranks, 1, microbatches};
            const auto result = followed(
                shape,
                {.forward_ms = forward, .backward_ms = backward + weight, .weight_ms = weight});
            for (const RankIteration& rank : result.ranks) {
                EXPECT_LE(rank.in_flight_high_water, std::min(ranks, microbatches)) << shape;
            }
            if (microbatches >= ranks) {
                EXPECT_DOUBLE_EQ(result.makespan_ms,
                                 microbatches * (forward + backward + weight) +
                                     (ranks - 1) * (forward + (backward + weight) - 2 * weight))
                    << shape;
            }
        }
    }
}

TEST(Figures, ZBH2AndZBVNeverIdleInsideAtEqualTimes) {
    for (const int ranks : rank_counts) {
        for (const int microbatches : microbatch_counts) {
            for (const Shape& shape :
                 {Shape{"zb-h2", ranks, 1, microbatches}, Shape{"zbv", ranks, 2, microbatches}}) {
                const auto result =
                    followed(shape, {.forward_ms = 1, .backward_ms = 2, .weight_ms = 1});
                const int bound = shape.name == "zbv" ? 2 * ranks : 2 * ranks - 1;
                for (const RankIteration& rank : result.ranks) {
                    EXPECT_LE(rank.in_flight_high_water, bound) << shape;
                }
                if (microbatches >= 2 * ranks - 1) {
                    EXPECT_DOUBLE_EQ(idle_inside(result), 0) << shape;
                    EXPECT_DOUBLE_EQ(result.makespan_ms,
                                     3 * shape.chunks * microbatches + ranks - 1)
                        << shape;
                }
            }
        }
    }
}

TEST(Figures, InterleavedHoldsMegatronsCountsAndDividesTheBubble) {
    for (const int ranks : rank_counts) {
        for (const int chunks : {2, 3, 4}) {
            const Shape shape{"interleaved-1f1b", ranks, chunks, 2 * ranks};
            const auto result = followed(shape, {.forward_ms = forward, .backward_ms = backward});
            EXPECT_DOUBLE_EQ(result.makespan_ms,
                             (chunks * shape.microbatches + ranks - 1) * (forward + backward))
                << shape;
            for (int rank = 0; rank < ranks; ++rank) {
                EXPECT_EQ(result.ranks[rank].in_flight_high_water,
                          2 * (ranks - 1 - rank) + (chunks - 1) * ranks + 1)
                    << shape;
            }
        }
    }
}

TEST(Figures, LoopedBFSHasTheBubbleOfInterleavingAndTheMemoryOfGPipe) {
    const Shape shape{"looped-bfs", 4, 2, 8};
    const auto result = followed(shape, {.forward_ms = forward, .backward_ms = backward});
    EXPECT_DOUBLE_EQ(result.makespan_ms, (2 * 8 + 3) * (forward + backward));
    EXPECT_EQ(result.ranks[0].in_flight_high_water, 16);
}

TEST(Figures, VHalfAndVMinHoldAHalfAndAThirdOf1F1B) {
    for (int ranks = 1; ranks <= 12; ++ranks) {
        const Pipeline v{
            .placement = Placement::v(ranks), .microbatches = 40, .split_weight = true};
        for (const int peak : peaks(v, make_hint("v-half", v))) {
            EXPECT_LE(peak, ranks + 3) << ranks;
        }
        for (const int peak : peaks(v, make_hint("v-min", v))) {
            EXPECT_LE(peak, (2 * ranks + 2) / 3 + 2) << ranks;
        }
        // Steady: a round of work a microbatch, whatever the fill.
        const StageTimes equal{.forward_ms = 1, .backward_ms = 2, .weight_ms = 1};
        for (const std::string name : {"v-half", "v-min"}) {
            const double more = followed({name, ranks, 2, 60}, equal).makespan_ms -
                                followed({name, ranks, 2, 40}, equal).makespan_ms;
            EXPECT_DOUBLE_EQ(more, 6 * 20) << name << ' ' << ranks;
        }
    }
}

TEST(Figures, HanayoBeats1F1BByTurningWithoutAMessage) {
    for (const int ranks : {2, 4, 8}) {
        double last = (2 * ranks - 1) * 3;  // 1F1B, P microbatches, in units of a forward
        for (const int chunks : {2, 4, 8}) {
            const Shape shape{"hanayo", ranks, chunks, ranks};
            const double time =
                followed(shape, {.forward_ms = 1.0 / chunks, .backward_ms = 2.0 / chunks})
                    .makespan_ms;
            EXPECT_LT(time, last) << shape;
            last = time;
        }
        const auto long_run =
            followed({"hanayo", ranks, 2, 40}, {.forward_ms = 0.5, .backward_ms = 1});
        EXPECT_LT(long_run.makespan_ms, (40 + ranks - 1) * 3);
        for (const RankIteration& rank : long_run.ranks) {
            EXPECT_LE(rank.in_flight_high_water, 3 * ranks - 1);
        }
    }
}

// R01: fewer microbatches than stages, and numbers that do not divide, are runs like any other.
TEST(Figures, R01FewMicrobatchesFinish) {
    for (const int microbatches : {1, 2, 3, 6}) {
        for (const auto& [name, chunks] : {std::pair<std::string, int>{"gpipe", 1},
                                           {"1f1b", 1},
                                           {"zb-h1", 1},
                                           {"interleaved-1f1b", 2}}) {
            const Shape shape{name, 4, chunks, microbatches};
            const auto result =
                followed(shape, {.forward_ms = 1, .backward_ms = 2, .weight_ms = 1});
            EXPECT_GE(result.makespan_ms, 3 * chunks * microbatches + 3) << shape;
            EXPECT_LE(result.makespan_ms, 3 * (chunks * microbatches + 3 + 4)) << shape;
        }
    }
}

}  // namespace
}  // namespace rrfp
