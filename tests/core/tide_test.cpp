// Invariant: `tide` below the hint's level takes forwards first and waits for them; from that level
// on it alternates. It never waits longer than the hint or a rank upstream lets it. `tide-w` does
// the like with the split backward. With several chunks a rank each goes by what was measured best.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/schedule_options.h"

namespace rrfp {
namespace {

using ::testing::ElementsAre;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

/// 1F1B over three ranks and four microbatches; with the split each B is followed by its W.
HintOrder one_f_one_b(bool split = false) {
    HintOrder hint(3);
    for (int rank = 0; rank < 3; ++rank) {
        const int ahead = 2 - rank;
        for (int step = 0; step < 4 + ahead; ++step) {
            if (step < 4) {
                hint[rank].push_back({F, rank, step});
            }
            if (step >= ahead) {
                hint[rank].push_back({B, rank, step - ahead});
                if (split) {
                    hint[rank].push_back({W, rank, step - ahead});
                }
            }
        }
    }
    return hint;
}

struct Case {
    std::string arbiter = "tide";
    int rank = 0;
    std::vector<int> limits = {9, 9, 9};
    AdmissionRule admission = AdmissionRule::drain;
    bool split = false;
};

class Rank {
  public:
    explicit Rank(const Case& c) {
        const Pipeline pipeline{
            .placement = Placement::loop(3), .microbatches = 4, .split_weight = c.split};
        const ScheduleOptions options{.arbiter = c.arbiter,
                                      .hint = one_f_one_b(c.split),
                                      .limits = c.limits,
                                      .admission = c.admission};
        validate(pipeline, options);
        dispatcher_ = make_dispatcher(pipeline, c.rank, options);
        dispatcher_->begin_iteration();
    }

    void ready(TaskKind kind, std::vector<int> microbatches) {
        for (const int microbatch : microbatches) {
            dispatcher_->ready({kind, dispatcher_->state().rank(), microbatch});
        }
    }
    /// The next decisions, "-" where it waits.
    std::vector<std::string> decide(int count) {
        std::vector<std::string> actions;
        for (int i = 0; i < count; ++i) {
            const auto task = dispatcher_->choose();
            actions.push_back(task ? to_action(*task) : "-");
            if (task) {
                dispatcher_->completed(*task, 1);
            }
        }
        return actions;
    }

  private:
    std::unique_ptr<Dispatcher> dispatcher_;
};

TEST(Tide, WaitsForForwardsBelowTheHintsLevel) {
    Rank rank({.rank = 0});
    rank.ready(F, {0});
    EXPECT_THAT(rank.decide(1), ElementsAre("0F0"));
    rank.ready(B, {0});
    EXPECT_THAT(rank.decide(1), ElementsAre("-")) << "D is 1, 1F1B would have 3 here";
    rank.ready(F, {1, 2});
    EXPECT_THAT(rank.decide(3), ElementsAre("0F1", "0F2", "0B0"));
    EXPECT_THAT(rank.decide(1), ElementsAre("-"));
}

TEST(Tide, AlternatesFromTheHintsLevelOn) {
    Rank rank({.rank = 2});
    rank.ready(F, {0, 1, 2, 3});
    rank.ready(B, {0, 1, 2});
    EXPECT_THAT(rank.decide(7), ElementsAre("2F0", "2B0", "2F1", "2B1", "2F2", "2B2", "2F3"));
}

TEST(Tide, GoesOnWithBackwardsWhenNoForwardIsLeft) {
    Rank rank({.rank = 0});
    rank.ready(F, {0, 1, 2, 3});
    rank.ready(B, {0, 1, 2, 3});
    EXPECT_THAT(rank.decide(8),
                ElementsAre("0F0", "0F1", "0F2", "0B0", "0F3", "0B1", "0B2", "0B3"));
}

TEST(Tide, TakesForwardsAboveTheLevelInTurnWhereTheLimitLetsIt) {
    Rank rank({.rank = 2});
    rank.ready(F, {0, 1, 2, 3});
    EXPECT_THAT(rank.decide(2), ElementsAre("2F0", "2F1"));
    rank.ready(B, {0, 1});
    EXPECT_THAT(rank.decide(5), ElementsAre("2B0", "2F2", "2B1", "2F3", "-"));
}

TEST(Tide, WaitsForNoMoreThanRanksUpstreamMaySend) {
    Rank rank({.rank = 1, .limits = {1, 9, 9}});
    rank.ready(F, {0});
    EXPECT_THAT(rank.decide(1), ElementsAre("1F0"));
    rank.ready(B, {0});
    EXPECT_THAT(rank.decide(1), ElementsAre("1B0")) << "rank 0 sends nothing before this";
}

TEST(Tide, ByTheHintTakesTheFirstOfTheHint) {
    Rank rank({.rank = 0});
    rank.ready(F, {3, 1});
    EXPECT_THAT(rank.decide(2), ElementsAre("0F1", "0F3"));
}

TEST(Tide, TheTurnSurvivesBetweenChoices) {
    Rank rank({.rank = 2});
    rank.ready(F, {0, 1});
    EXPECT_THAT(rank.decide(2), ElementsAre("2F0", "2F1"));
    EXPECT_THAT(rank.decide(2), ElementsAre("-", "-"));
    rank.ready(B, {0});
    rank.ready(F, {2});
    EXPECT_THAT(rank.decide(2), ElementsAre("2B0", "2F2"));
}

TEST(Tide, UnderWindowAdmissionWaitsOnlyAsTheHintWould) {
    Rank rank({.rank = 1, .admission = AdmissionRule::window});
    rank.ready(F, {0, 1});
    rank.ready(B, {0, 1});
    EXPECT_THAT(rank.decide(3), ElementsAre("1F0", "1F1", "1B0"));
    EXPECT_THAT(rank.decide(1), ElementsAre("-")) << "the hint has 1F2 before 1B1";
    rank.ready(F, {3});
    EXPECT_THAT(rank.decide(2), ElementsAre("1F3", "1B1"));
}

TEST(Tide, WithTheSplitCountsForwardsWhoseBackwardIsLeft) {
    Rank rank({.rank = 1, .split = true});
    rank.ready(F, {0, 1, 2});
    EXPECT_THAT(rank.decide(3), ElementsAre("1F0", "1F1", "1F2"));
    rank.ready(B, {0, 1});
    EXPECT_THAT(rank.decide(2), ElementsAre("1B0", "1B1"));
    // One forward is open, two would be in 1F1B; two weight gradients are left to do meanwhile.
    rank.ready(B, {2});
    rank.ready(W, {0});
    EXPECT_THAT(rank.decide(2), ElementsAre("1W0", "-"));
}

TEST(TideW, PutsForwardsFirstBelowTheHintsLevel) {
    Rank rank({.arbiter = "tide-w", .rank = 1, .split = true});
    rank.ready(F, {0});
    EXPECT_THAT(rank.decide(1), ElementsAre("1F0"));
    rank.ready(B, {0});
    rank.ready(F, {1, 2});
    EXPECT_THAT(rank.decide(4), ElementsAre("1F1", "1B0", "1F2", "-"));
}

TEST(TideW, WaitsOnlyWhereTwoForwardsAreMissing) {
    Rank rank({.arbiter = "tide-w", .rank = 0, .split = true});
    rank.ready(F, {0});
    EXPECT_THAT(rank.decide(1), ElementsAre("0F0"));
    rank.ready(B, {0});
    EXPECT_THAT(rank.decide(1), ElementsAre("-")) << "one is open, three would be in 1F1B";
    rank.ready(F, {1});
    EXPECT_THAT(rank.decide(2), ElementsAre("0F1", "0B0"));
    rank.ready(B, {1});
    rank.ready(W, {0});
    EXPECT_THAT(rank.decide(2), ElementsAre("0W0", "-")) << "a weight gradient is not held back";
}

TEST(TideW, MakesRoomForAForwardThatOnlyTheLimitHoldsBack) {
    Rank rank({.arbiter = "tide-w", .rank = 1, .limits = {3, 2, 1}, .split = true});
    rank.ready(F, {0, 1, 2});
    EXPECT_THAT(rank.decide(2), ElementsAre("1F0", "1F1"));
    rank.ready(B, {0, 1});
    EXPECT_THAT(rank.decide(1), ElementsAre("1B0"));
    rank.ready(W, {0});
    EXPECT_THAT(rank.decide(3), ElementsAre("1W0", "1F2", "1B1"));
}

TEST(TideW, LeavesWeightGradientsToTheEndElse) {
    Rank rank({.arbiter = "tide-w", .rank = 2, .split = true});
    rank.ready(F, {0, 1});
    rank.ready(W, {});
    EXPECT_THAT(rank.decide(1), ElementsAre("2F0"));
    rank.ready(B, {0});
    EXPECT_THAT(rank.decide(1), ElementsAre("2B0"));
    rank.ready(W, {0});
    EXPECT_THAT(rank.decide(2), ElementsAre("2F1", "2W0"));
}

}  // namespace
}  // namespace rrfp
