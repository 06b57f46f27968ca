// A user who names no arbiter, admission or limit gets what suits the pipeline, whichever way it is
// started: never less memory than the fixed schedule of the same shape has, and always a choice
// that is accepted.

#include "runtime/core/arbiters/default_arbiter.h"

#include <gtest/gtest.h>

#include "runtime/core/default_admission.h"
#include "runtime/core/schedule_options.h"

namespace rrfp {
namespace {

using enum AdmissionRule;
using Limits = std::vector<int>;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;

Pipeline pipeline_of(const Placement& placement, bool split = false) {
    return {.placement = placement, .microbatches = 4, .split_weight = split};
}

/// On one rank with two stages: each microbatch alone, with a peak of 2, or all forwards first.
HintOrder one_by_one() {
    HintOrder hint(1);
    for (int m = 0; m < 4; ++m) {
        hint[0].insert(hint[0].end(), {{F, 0, m}, {F, 1, m}, {B, 1, m}, {B, 0, m}});
    }
    return hint;
}
HintOrder forwards_first() {
    HintOrder hint(1);
    for (const TaskKind kind : {F, B}) {
        for (int step = 0; step < 2; ++step) {
            for (int m = 0; m < 4; ++m) hint[0].push_back({kind, kind == F ? step : 1 - step, m});
        }
    }
    return hint;
}

std::string arbiter(const Pipeline& pipeline, AdmissionRule admission) {
    const int ranks = pipeline.placement.ranks();
    return default_arbiter(pipeline, {.arbiter = "",
                                      .hint = HintOrder(ranks),
                                      .limits = Limits(ranks, 32),
                                      .admission = admission});
}

TEST(DefaultArbiter, IsTideWithOneStageARankAndUnderWindowAdmission) {
    EXPECT_EQ(arbiter(pipeline_of(Placement::loop(4)), graded), "tide");
    EXPECT_EQ(arbiter(pipeline_of(Placement::loop(4), true), graded), "tide-w");
    EXPECT_EQ(arbiter(pipeline_of(Placement::loop(2, 2)), window), "tide");
    EXPECT_EQ(arbiter(pipeline_of(Placement::v(2), true), window), "tide-w");
}

TEST(DefaultArbiter, WithoutTheHintsMemoryNeedsNoHint) {
    EXPECT_EQ(arbiter(pipeline_of(Placement::loop(2, 2)), graded), "f-priority");
    EXPECT_EQ(arbiter(pipeline_of(Placement::wave(2, 4)), graded), "f-priority");
    EXPECT_EQ(arbiter(pipeline_of(Placement({0, 0, 1, 1})), graded), "bf");
    EXPECT_EQ(arbiter(pipeline_of(Placement::loop(2, 2)), drain), "bf");
    for (const AdmissionRule rule : {graded, drain}) {
        EXPECT_EQ(arbiter(pipeline_of(Placement::loop(2, 2), true), rule), "bfw");
    }
}

TEST(DefaultArbiter, OfASplitBackwardIsTideWOnlyWithTheHintsMemory) {
    const Pipeline pipeline = pipeline_of(Placement::loop(1), true);
    HintOrder hint(1);
    for (const TaskKind kind : {F, B, TaskKind::weight_gradient}) {
        for (int m = 0; m < 4; ++m) hint[0].push_back({kind, 0, m});
    }
    ScheduleOptions options{.hint = hint, .limits = {4}, .admission = graded};
    EXPECT_EQ(default_arbiter(pipeline, options), "tide-w");
    options.limits = {3};
    EXPECT_EQ(default_arbiter(pipeline, options), "bfw");
}

TEST(DefaultArbiter, ChoosesAlikeOnAllRanksOfAGroup) {
    for (const char* name : {"tide", "tide-w", "bf", "bfw", "f-priority"}) {
        ASSERT_NE(find_arbiter(name), nullptr);
        EXPECT_FALSE(find_arbiter(name)->local);
    }
}

TEST(DefaultAdmission, GoesByTheHintWhereItsMemoryIsThere) {
    const Pipeline pipeline = pipeline_of(Placement::loop(1, 2));
    EXPECT_EQ(default_admission(pipeline, one_by_one(), {2}, true), window);
    EXPECT_EQ(default_admission(pipeline, {}, {2}, true), graded);
    EXPECT_EQ(default_admission(pipeline, one_by_one(), {1}, true), drain)
        << "less than the stages of the rank";
    EXPECT_EQ(default_admission(pipeline, forwards_first(), {7}, false), graded);
    EXPECT_EQ(default_admission(pipeline, forwards_first(), {8}, false), graded)
        << "what keeps everything is no guide";
}

TEST(DefaultAdmission, TakesNoHintThatWindowAdmissionRefuses) {
    const Pipeline pipeline = pipeline_of(Placement::loop(1, 2));
    HintOrder hint = one_by_one();
    std::swap_ranges(hint[0].begin(), hint[0].begin() + 4, hint[0].begin() + 4);
    EXPECT_EQ(default_admission(pipeline, hint, {9}, false), graded) << "forwards out of order";
}

TEST(DefaultAdmission, IsGradedWithOneStageARank) {
    const Pipeline pipeline = pipeline_of(Placement::loop(1));
    EXPECT_EQ(default_admission(pipeline, {}, {1}, true), graded);
}

TEST(DefaultLimits, AreNeverBelowTheSchedulesOwn) {
    const Pipeline pipeline = pipeline_of(Placement::loop(1, 2));
    EXPECT_EQ(default_limits(pipeline, one_by_one()), Limits{32});
    EXPECT_EQ(default_limits(pipeline, {}), Limits{32});
    EXPECT_EQ(default_limits(pipeline_of(Placement::loop(1, 40)), {}), Limits{40});
    // One after the other, but the first thirty chunks of two microbatches at once.
    const Pipeline deep{.placement = Placement::loop(1, 30), .microbatches = 3};
    HintOrder hint(1);
    for (int stage = 0; stage < 30; ++stage) {
        for (const int m : {0, 1}) hint[0].push_back({F, stage, m});
    }
    for (int stage = 29; stage >= 0; --stage) {
        for (const int m : {0, 1}) hint[0].push_back({B, stage, m});
    }
    for (int stage = 0; stage < 30; ++stage) hint[0].push_back({F, stage, 2});
    for (int stage = 29; stage >= 0; --stage) hint[0].push_back({B, stage, 2});
    EXPECT_EQ(default_limits(deep, hint), Limits{60});
}

TEST(DefaultLimits, AskNothingOfAScheduleThatKeepsEverything) {
    const Pipeline pipeline = pipeline_of(Placement::loop(1, 2));
    EXPECT_TRUE(keeps_everything(pipeline, forwards_first()));
    EXPECT_FALSE(keeps_everything(pipeline, one_by_one()));
    Pipeline many = pipeline;
    many.microbatches = 40;
    HintOrder hint(1);
    for (const TaskKind kind : {F, B}) {
        for (int step = 0; step < 2; ++step) {
            for (int m = 0; m < 40; ++m) hint[0].push_back({kind, kind == F ? step : 1 - step, m});
        }
    }
    EXPECT_EQ(default_limits(many, hint), Limits{32});
}

}  // namespace
}  // namespace rrfp
