// What filters admit at the limit: with one chunk backwards alone; with several the drain's next
// task alone; under determinism the next backward of each chunk, and forwards near enough to it.
// Weight gradients are admitted always.

#include <gtest/gtest.h>

#include "runtime/core/filters/backpressure.h"
#include "runtime/core/filters/determinism.h"

namespace rrfp {
namespace {

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

/// A rank with a filter: which of its ready tasks are admitted?
class Fixture {
  public:
    Fixture(const Pipeline& pipeline, const Filter& filter)
        : state_(pipeline, 0), admission_(state_), filter_(filter) {}

    void ready(const Task& task) { state_.mark_ready(task); }
    void run(const Task& task) {
        state_.mark_ready(task);
        state_.mark_dispatched(task);
        state_.mark_completed(task);
    }
    bool admits(const Task& task) {
        admission_.reset();
        filter_.restrict(state_, admission_);
        return Candidates(state_, admission_).contains(task);
    }
    std::optional<Task> first_forward() {
        admission_.reset();
        filter_.restrict(state_, admission_);
        return Candidates(state_, admission_).first_forward();
    }

  private:
    RankState state_;
    Admission admission_;
    const Filter& filter_;
};

TEST(Backpressure, HoldsForwardsAtTheLimit) {
    const Backpressure filter(2);
    Fixture rank({.placement = Placement::loop(1), .microbatches = 8, .split_weight = true},
                 filter);
    rank.run({F, 0, 0});
    rank.ready({F, 0, 2});
    rank.ready({B, 0, 0});
    rank.ready({W, 0, 4});
    EXPECT_TRUE(rank.admits({F, 0, 2}));
    rank.run({F, 0, 1});
    EXPECT_FALSE(rank.admits({F, 0, 2}));
    EXPECT_TRUE(rank.admits({B, 0, 0}));
    EXPECT_TRUE(rank.admits({W, 0, 4}));
}

TEST(Backpressure, DrainsMicrobatchByMicrobatchWithChunks) {
    const Backpressure filter(2);
    Fixture rank({.placement = Placement::loop(1, 2), .microbatches = 3}, filter);
    rank.run({F, 0, 0});
    rank.run({F, 0, 1});
    for (const Task& task : {Task{F, 1, 0}, Task{F, 1, 1}, Task{F, 0, 2}, Task{B, 1, 1}}) {
        rank.ready(task);
    }
    EXPECT_TRUE(rank.admits({F, 1, 0})) << "F1 of microbatch 0 comes next";
    EXPECT_FALSE(rank.admits({F, 1, 1}));
    EXPECT_FALSE(rank.admits({F, 0, 2}));
    EXPECT_FALSE(rank.admits({B, 1, 1}));
    EXPECT_EQ(rank.first_forward(), (Task{F, 1, 0}));
}

TEST(Backpressure, TheDrainWaitsForItsNextTask) {
    const Backpressure filter(1);
    Fixture rank({.placement = Placement::loop(1, 2), .microbatches = 3}, filter);
    rank.run({F, 0, 0});
    rank.run({F, 1, 0});
    rank.ready({F, 0, 1});
    rank.ready({B, 0, 0});
    EXPECT_FALSE(rank.admits({F, 0, 1}));
    EXPECT_FALSE(rank.admits({B, 0, 0})) << "B of the upper chunk comes before";
    rank.ready({B, 1, 0});
    EXPECT_TRUE(rank.admits({B, 1, 0}));
}

TEST(Backpressure, TheDrainOfASplitBackwardEndsWithWeightGradients) {
    const Backpressure filter(2);
    Fixture rank({.placement = Placement::loop(1, 2), .microbatches = 3, .split_weight = true},
                 filter);
    for (const Task& task : {Task{F, 0, 0}, Task{F, 1, 0}, Task{B, 1, 0}, Task{B, 0, 0}}) {
        rank.run(task);
    }
    rank.ready({F, 0, 1});
    rank.ready({W, 0, 0});
    EXPECT_FALSE(rank.admits({F, 0, 1})) << "or D would grow without end";
    EXPECT_TRUE(rank.admits({W, 0, 0}));
}

TEST(Determinism, AdmitsGradientsInMicrobatchOrder) {
    const Determinism filter(3);
    Fixture rank({.placement = Placement::loop(1), .microbatches = 8, .split_weight = true},
                 filter);
    rank.ready({B, 0, 1});
    rank.ready({W, 0, 1});
    EXPECT_FALSE(rank.admits({B, 0, 1}));
    EXPECT_FALSE(rank.admits({W, 0, 1}));
    rank.run({B, 0, 0});
    rank.run({W, 0, 0});
    EXPECT_TRUE(rank.admits({B, 0, 1}));
    EXPECT_TRUE(rank.admits({W, 0, 1}));
}

TEST(Determinism, KeepsForwardsWithinTheLimitOfTheNextRelease) {
    const Determinism filter(3);
    Fixture rank({.placement = Placement::loop(1), .microbatches = 8}, filter);
    rank.ready({F, 0, 2});
    rank.ready({F, 0, 3});
    EXPECT_TRUE(rank.admits({F, 0, 2}));
    EXPECT_FALSE(rank.admits({F, 0, 3}));
    rank.run({B, 0, 0});
    EXPECT_TRUE(rank.admits({F, 0, 3}));
}

TEST(Determinism, LeavesForwardsFreeWithChunks) {
    const Determinism filter(1);
    Fixture rank({.placement = Placement::loop(1, 2), .microbatches = 8}, filter);
    rank.ready({F, 0, 7});
    EXPECT_TRUE(rank.admits({F, 0, 7}));
}

TEST(Candidates, KnowNothingOfForeignTasks) {
    const Backpressure filter(9);
    Fixture rank({.placement = Placement::loop(2), .microbatches = 2}, filter);
    EXPECT_FALSE(rank.admits({F, 1, 0}));
    EXPECT_FALSE(rank.admits({F, 0, 99}));
    EXPECT_FALSE(rank.admits({F, -1, 0}));
    EXPECT_FALSE(rank.admits({W, 0, 0}));
}

}  // namespace
}  // namespace rrfp
