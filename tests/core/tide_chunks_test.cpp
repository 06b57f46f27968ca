// Invariant: with several chunks a rank, under window admission, `tide` on `loop` takes the
// backward of the highest chunk and waits for a forward only where two are missing to the hint's
// level; where stages turn it keeps to the hint's backwards, and below the level to the hint's
// choice between the kinds. `tide-w` never idles with a task at hand. Under the other rules neither
// waits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/schedule_options.h"

namespace rrfp {
namespace {

using ::testing::ElementsAre;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

/// Rank 0 of two ranks with two stages each, by a hint made for the test, with a peak of three.
class Rank {
  public:
    Rank(const std::string& arbiter, const Placement& placement,
         AdmissionRule admission = AdmissionRule::window) {
        const bool split = arbiter == "tide-w";
        const Pipeline pipeline{.placement = placement, .microbatches = 2, .split_weight = split};
        HintOrder hint;
        for (const int rank : {0, 1}) {
            const int low = placement.stages_of(rank)[0];
            const int high = placement.stages_of(rank)[1];
            hint.push_back({{F, low, 0},
                            {F, low, 1},
                            {F, high, 0},
                            {B, high, 0},
                            {F, high, 1},
                            {B, low, 0},
                            {B, high, 1},
                            {B, low, 1}});
        }
        for (auto& list : hint) {
            for (int m = 0; split && m < 4; ++m) {
                const auto& place = placement.stages_of(&list == &hint[0] ? 0 : 1);
                list.push_back({W, place[m / 2], m % 2});
            }
        }
        const int peak = split ? 4 : 3;
        const ScheduleOptions options{
            .arbiter = arbiter, .hint = hint, .limits = {peak, peak}, .admission = admission};
        validate(pipeline, options);
        dispatcher_ = make_dispatcher(pipeline, 0, options);
        dispatcher_->begin_iteration();
    }

    void ready(const Task& task) { dispatcher_->ready(task); }
    std::string decide() {
        const auto task = dispatcher_->choose();
        if (!task) return "-";
        dispatcher_->completed(*task, 1);
        return to_action(*task);
    }

  private:
    std::unique_ptr<Dispatcher> dispatcher_;
};

TEST(TideWithChunks, OnALoopWaitsWhereTwoForwardsAreMissing) {
    Rank rank("tide", Placement::loop(2, 2));
    rank.ready({F, 0, 0});
    EXPECT_EQ(rank.decide(), "0F0");
    rank.ready({B, 0, 0});
    EXPECT_EQ(rank.decide(), "-") << "one is open, the hint has three";
    rank.ready({F, 0, 1});
    EXPECT_EQ(rank.decide(), "0F1");
    EXPECT_EQ(rank.decide(), "0B0") << "one is missing, though the hint has 2F0 before";
}

TEST(TideWithChunks, OnALoopTakesTheHighestChunksBackward) {
    Rank rank("tide", Placement::loop(2, 2));
    for (const Task& task : {Task{F, 0, 0}, Task{F, 0, 1}, Task{F, 2, 0}}) {
        rank.ready(task);
        EXPECT_EQ(rank.decide(), to_action(task));
    }
    rank.ready({B, 0, 0});
    rank.ready({B, 2, 1});
    EXPECT_EQ(rank.decide(), "2B1") << "the hint has 0B0 before it";
}

TEST(TideWithChunks, WhereStagesTurnKeepsToTheHint) {
    Rank rank("tide", Placement::v(2));
    rank.ready({F, 0, 0});
    EXPECT_EQ(rank.decide(), "0F0");
    rank.ready({F, 0, 1});
    EXPECT_EQ(rank.decide(), "0F1");
    rank.ready({B, 0, 0});
    EXPECT_EQ(rank.decide(), "-") << "the hint has 3F0 before it, and one is missing";
    rank.ready({F, 3, 0});
    EXPECT_EQ(rank.decide(), "3F0");
    EXPECT_EQ(rank.decide(), "0B0");
    rank.ready({F, 3, 1});
    rank.ready({B, 3, 0});
    EXPECT_EQ(rank.decide(), "3B0") << "below the level the hint decides between the kinds";
    EXPECT_EQ(rank.decide(), "3F1");
}

TEST(TideWithChunks, WaitsUnderNoOtherRule) {
    for (const AdmissionRule rule : {AdmissionRule::drain, AdmissionRule::graded}) {
        for (const Placement& placement : {Placement::loop(2, 2), Placement::v(2)}) {
            Rank rank("tide", placement, rule);
            rank.ready({F, 0, 0});
            EXPECT_EQ(rank.decide(), "0F0");
            rank.ready({B, 0, 0});
            EXPECT_EQ(rank.decide(), "0B0");
        }
    }
}

TEST(TideWWithChunks, NeverIdlesAndBelowTheLevelLetsTheHintDecide) {
    Rank rank("tide-w", Placement::v(2));
    rank.ready({F, 0, 0});
    EXPECT_EQ(rank.decide(), "0F0");
    rank.ready({F, 3, 1});
    rank.ready({B, 3, 0});
    EXPECT_EQ(rank.decide(), "3B0") << "the hint has it before 3F1";
    rank.ready({B, 0, 0});
    EXPECT_EQ(rank.decide(), "3F1") << "the hint has it before 0B0";
    EXPECT_EQ(rank.decide(), "0B0");
    rank.ready({W, 3, 0});
    EXPECT_EQ(rank.decide(), "3W0");
}

}  // namespace
}  // namespace rrfp
