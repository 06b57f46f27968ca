// Invariant: graded admission leaves a place for each later stage of the rank, so that D never
// passes the limit; with backwards in microbatch order it counts what they wait for as in flight. A
// limit below one for each stage, which could not end, is refused.

#include "runtime/core/filters/graded_admission.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/schedule_options.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;
constexpr int microbatches = 8;

/// One rank with three stages: which forwards may run?
class Rank {
  public:
    explicit Rank(GradedAdmission filter, bool split = false)
        : state_({.placement = Placement::loop(1, 3),
                  .microbatches = microbatches,
                  .split_weight = split},
                 0),
          filter_(filter) {}

    Rank& run(const Task& task) {
        state_.mark_ready(task);
        state_.mark_dispatched(task);
        state_.mark_completed(task);
        return *this;
    }
    /// The end of what is admitted of the forwards of each chunk.
    std::vector<int> ends() const {
        const Admission admitted = admission();
        return {admitted.end(F, 0), admitted.end(F, 1), admitted.end(F, 2)};
    }
    int backwards_end() const { return admission().end(B, 0); }

  private:
    Admission admission() const {
        Admission admission(state_);
        filter_.restrict(state_, admission);
        return admission;
    }

    RankState state_;
    GradedAdmission filter_;
};

constexpr int any = microbatches;
using Ends = std::vector<int>;

TEST(GradedAdmission, LeavesAPlaceForEachLaterStage) {
    Rank rank(GradedAdmission(4));
    rank.run({F, 0, 0});
    EXPECT_EQ(rank.ends(), (Ends{any, any, any}));
    rank.run({F, 0, 5});
    EXPECT_EQ(rank.ends(), (Ends{0, any, any})) << "two places are left, for two stages";
    rank.run({F, 1, 0});
    EXPECT_EQ(rank.ends(), (Ends{0, 0, any}));
    rank.run({F, 2, 0});
    EXPECT_EQ(rank.ends(), (Ends{0, 0, 0}));
    EXPECT_EQ(rank.backwards_end(), any);
    rank.run({B, 2, 0});
    EXPECT_EQ(rank.ends(), (Ends{0, 0, any}));
}

TEST(GradedAdmission, WithTheSplitAReleaseIsTheWeightGradient) {
    Rank rank(GradedAdmission(3), true);
    rank.run({F, 0, 0}).run({F, 1, 0}).run({F, 2, 0}).run({B, 2, 0});
    EXPECT_EQ(rank.ends(), (Ends{0, 0, 0}));
    rank.run({W, 2, 0});
    EXPECT_EQ(rank.ends(), (Ends{0, 0, any}));
}

TEST(GradedAdmission, InOrderCountsWhatBackwardsWaitFor) {
    Rank rank(GradedAdmission(5, true));
    EXPECT_EQ(rank.ends(), (Ends{3, 4, 5}));
    rank.run({F, 0, 2});  // the span 0..2
    EXPECT_EQ(rank.ends(), (Ends{3, 1, 2})) << "inside its span a forward may always run";
    rank.run({F, 1, 0}).run({F, 2, 0});
    EXPECT_EQ(rank.ends(), (Ends{3, 1, 1})) << "spans of 5: nothing may widen one";
    rank.run({B, 2, 0});
    EXPECT_EQ(rank.ends(), (Ends{3, 1, 2}));
}

TEST(GradedAdmission, AnyLimitDoesNotOverflow) {
    constexpr int most = std::numeric_limits<int>::max();
    EXPECT_EQ(Rank(GradedAdmission(most)).ends(), (Ends{any, any, any}));
    EXPECT_EQ(Rank(GradedAdmission(most, true)).ends(), (Ends{any, any, any}));
}

TEST(GradedAdmission, ALimitBelowTheStagesOfItsRankIsRefused) {
    const Pipeline pipeline{.placement = Placement({0, 1, 1, 1}), .microbatches = 4};
    ScheduleOptions options{.limits = {1, 3}, .admission = AdmissionRule::graded};
    EXPECT_NO_THROW(validate(pipeline, options));
    options.limits = {1, 2};
    try {
        validate(pipeline, options);
        FAIL() << "accepted";
    } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("rank 1 is 2"), HasSubstr("3 stages"),
                                        HasSubstr("raise it to 3")));
    }
}

TEST(AdmissionRule, IsFoundByItsWord) {
    for (const std::string& word : admission_rule_names()) {
        EXPECT_EQ(name(find_admission_rule(word).value()), word);
    }
    EXPECT_EQ(find_admission_rule("sluice"), std::nullopt);
}

}  // namespace
}  // namespace rrfp
