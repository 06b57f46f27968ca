// Options that cannot run are refused before anything starts; the message names place, value,
// remedy.

#include "runtime/core/schedule_options.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

Pipeline two_ranks() { return {.placement = Placement::loop(2), .microbatches = 2}; }

HintOrder sound_hint() {
    return {{{F, 0, 0}, {F, 0, 1}, {B, 0, 0}, {B, 0, 1}},
            {{F, 1, 0}, {B, 1, 0}, {F, 1, 1}, {B, 1, 1}}};
}

std::string refusal(const ScheduleOptions& options, const Pipeline& pipeline = two_ranks()) {
    try {
        validate(pipeline, options);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

ScheduleOptions fixed(const HintOrder& hint, std::vector<int> limits = {2, 2}) {
    return {.arbiter = "fixed", .hint = hint, .limits = std::move(limits)};
}

TEST(ScheduleOptions, AcceptsWhatRuns) {
    for (const ArbiterEntry& entry : arbiter_registry()) {
        if (!entry.needs_split) {
            EXPECT_EQ(refusal({.arbiter = entry.name, .hint = sound_hint(), .limits = {2, 2}}),
                      "accepted");
        }
    }
    EXPECT_EQ(refusal({.arbiter = "bf", .limits = {1, 1}}), "accepted");
}

TEST(ScheduleOptions, AnUnknownArbiterListsTheKnownOnes) {
    EXPECT_THAT(
        refusal({.arbiter = "best", .limits = {1, 1}}),
        AllOf(HasSubstr("'best'"), HasSubstr("bf, fb, b-priority, f-priority, bfw, tide, tide-w, "
                                             "critical-path, order, fixed")));
}

TEST(ScheduleOptions, LimitsArePositiveAndOneARank) {
    EXPECT_THAT(refusal({.arbiter = "bf", .limits = {1, 0}}), HasSubstr("limit of rank 1 is 0"));
    EXPECT_THAT(refusal({.arbiter = "bf", .limits = {1}}), HasSubstr("1 values for 2"));
    EXPECT_THAT(refusal({.arbiter = "bf", .limits = {1, 1}},
                        {.placement = Placement::loop(2), .microbatches = 0}),
                HasSubstr("microbatches is 0"));
}

TEST(ScheduleOptions, AListedOrderIsNeededWhereItIsFollowed) {
    EXPECT_THAT(refusal({.arbiter = "order", .limits = {1, 1}}), HasSubstr("needs a hint"));
    EXPECT_THAT(refusal({.arbiter = "fixed", .limits = {1, 1}}), HasSubstr("needs a hint"));
}

TEST(ScheduleOptions, AHintListsEachTaskOnceAtItsRank) {
    HintOrder hint = sound_hint();
    hint[1].pop_back();
    EXPECT_THAT(refusal(fixed(hint)), AllOf(HasSubstr("rank 1"), HasSubstr("1B1 is missing")));
    hint = sound_hint();
    hint[0].push_back({F, 0, 0});
    EXPECT_THAT(refusal(fixed(hint)), HasSubstr("0F0 is listed twice"));
    hint = sound_hint();
    std::swap(hint[0][0], hint[1][0]);
    EXPECT_THAT(refusal(fixed(hint)), AllOf(HasSubstr("1F0 is misplaced"), HasSubstr("rank 1")));
    hint = sound_hint();
    hint[0][0].microbatch = 2;
    EXPECT_THAT(refusal(fixed(hint)), HasSubstr("microbatches 0 to 1"));
    hint = sound_hint();
    hint[0][0].stage = 2;
    EXPECT_THAT(refusal(fixed(hint)), HasSubstr("stages 0 to 1"));
    hint = sound_hint();
    hint[0][0].kind = W;
    EXPECT_THAT(refusal(fixed(hint)), HasSubstr("0W0"));
    hint.pop_back();
    EXPECT_THAT(refusal(fixed(hint)), HasSubstr("1 lists for 2 ranks"));
}

TEST(ScheduleOptions, AFixedListMustFitTheLimit) {
    EXPECT_THAT(refusal(fixed(sound_hint(), {1, 1})),
                AllOf(HasSubstr("rank 0"), HasSubstr("2 microbatches"), HasSubstr("limit of 1")));
    EXPECT_EQ(refusal(fixed(sound_hint(), {2, 1})), "accepted");
    EXPECT_EQ(refusal({.arbiter = "order", .hint = sound_hint(), .limits = {1, 1}}), "accepted");
}

TEST(ScheduleOptions, AFixedListMustEnd) {
    HintOrder hint = sound_hint();
    std::swap(hint[1][0], hint[1][1]);  // the backward before its forward
    EXPECT_THAT(refusal(fixed(hint)), AllOf(HasSubstr("never ends"), HasSubstr("rank 1 at 1B0")));
    EXPECT_EQ(refusal({.arbiter = "order", .hint = hint, .limits = {2, 2}}), "accepted");
}

TEST(ScheduleOptions, ADeterministicFixedListAccumulatesInOrder) {
    HintOrder hint = {{{F, 0, 0}, {F, 0, 1}, {B, 0, 1}, {B, 0, 0}},
                      {{F, 1, 0}, {F, 1, 1}, {B, 1, 1}, {B, 1, 0}}};
    ScheduleOptions options = fixed(hint);
    EXPECT_EQ(refusal(options), "accepted");
    options.deterministic = true;
    EXPECT_THAT(refusal(options), AllOf(HasSubstr("0B0"), HasSubstr("microbatch order")));
    options.hint = sound_hint();
    EXPECT_EQ(refusal(options), "accepted");
}

}  // namespace
}  // namespace rrfp
