// Invariant: window admission admits a forward by its place in the hint and what was released, so
// that D never passes the limit; what its progress rests on is asked of hint and limit beforehand.

#include "runtime/core/filters/window_admission.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/schedule_options.h"
#include "runtime/core/submission_window.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

Pipeline two_chunks(bool split = false) {
    return {.placement = Placement::loop(1, 2), .microbatches = 4, .split_weight = split};
}

/// F of chunk 0 and 1 by twos, then backwards: a peak of 8 forwards in flight.
HintOrder by_twos() {
    HintOrder hint(1);
    for (const int first : {0, 2}) {
        for (const int stage : {0, 1}) {
            hint[0].push_back({F, stage, first});
            hint[0].push_back({F, stage, first + 1});
        }
    }
    for (int microbatch = 0; microbatch < 4; ++microbatch) {
        hint[0].push_back({B, 1, microbatch});
        hint[0].push_back({B, 0, microbatch});
    }
    return hint;
}

ScheduleOptions window(HintOrder hint, std::vector<int> limits) {
    return {.arbiter = "bf",
            .hint = std::move(hint),
            .limits = std::move(limits),
            .admission = AdmissionRule::window};
}

std::string refusal(const Pipeline& pipeline, const ScheduleOptions& options) {
    try {
        validate(pipeline, options);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

/// The end of what is admitted of (F, chunk), with so many backwards done.
int end_of(int chunk, int released, int limit) {
    const Pipeline pipeline = two_chunks();
    RankState state(pipeline, 0);
    for (int count = 0; count < released; ++count) {
        const Task task{B, count % 2, count / 2};
        state.mark_ready(task);
        state.mark_dispatched(task);
        state.mark_completed(task);
    }
    Admission admission(state);
    WindowAdmission(pipeline, 0, by_twos()[0], limit).restrict(state, admission);
    return admission.end(F, chunk);
}

TEST(WindowAdmission, AdmitsByPlaceInTheHint) {
    // Places in the list: chunk 0 has 0 1 4 5, chunk 1 has 2 3 6 7.
    EXPECT_EQ(end_of(0, 0, 1), 1);
    EXPECT_EQ(end_of(1, 0, 1), 0);
    EXPECT_EQ(end_of(0, 0, 3), 2);
    EXPECT_EQ(end_of(1, 0, 3), 1);
    EXPECT_EQ(end_of(0, 2, 3), 3) << "a release admits the next";
    EXPECT_EQ(end_of(1, 2, 3), 2);
    EXPECT_EQ(end_of(0, 0, 8), 4);
    EXPECT_EQ(end_of(1, 8, 1'000'000'000), 4);
}

TEST(WindowAdmission, WithTheSplitAReleaseIsTheWeightGradient) {
    const Pipeline pipeline{
        .placement = Placement::loop(1), .microbatches = 3, .split_weight = true};
    const HintOrder hint = {{{F, 0, 0},
                             {B, 0, 0},
                             {W, 0, 0},
                             {F, 0, 1},
                             {B, 0, 1},
                             {W, 0, 1},
                             {F, 0, 2},
                             {B, 0, 2},
                             {W, 0, 2}}};
    const ScheduleOptions options = window(hint, {1});
    validate(pipeline, options);
    const auto rank = make_dispatcher(pipeline, 0, options);
    rank->begin_iteration();
    const auto run = [&](const Task& task) {
        EXPECT_EQ(rank->choose(), task);
        rank->completed(task, 1);
    };
    rank->ready({F, 0, 0});
    rank->ready({F, 0, 1});
    run({F, 0, 0});
    rank->ready({B, 0, 0});
    run({B, 0, 0});
    EXPECT_EQ(rank->choose(), std::nullopt) << "what W still holds counts";
    rank->ready({W, 0, 0});
    run({W, 0, 0});
    run({F, 0, 1});
}

TEST(WindowAdmission, ALimitBelowTheHintsPeakIsRefused) {
    EXPECT_EQ(refusal(two_chunks(), window(by_twos(), {8})), "accepted");
    EXPECT_THAT(refusal(two_chunks(), window(by_twos(), {7})),
                AllOf(HasSubstr("rank 0"), HasSubstr("8 microbatches"), HasSubstr("limit of 7"),
                      HasSubstr("raise the limit to 8")));
    ScheduleOptions drain = window(by_twos(), {7});
    drain.admission = AdmissionRule::drain;
    EXPECT_EQ(refusal(two_chunks(), drain), "accepted");
}

TEST(WindowAdmission, NeedsAHintThatCanRunInMicrobatchOrder) {
    EXPECT_THAT(refusal(two_chunks(), window({}, {8})), HasSubstr("goes by the hint"));
    HintOrder hint = by_twos();
    std::swap(hint[0][0], hint[0][1]);
    EXPECT_THAT(refusal(two_chunks(), window(hint, {8})),
                AllOf(HasSubstr("0F0 comes after microbatch 1"), HasSubstr("use graded")));
    hint = by_twos();
    std::swap(hint[0][8], hint[0][9]);
    EXPECT_THAT(refusal(two_chunks(), window(hint, {8})), HasSubstr("never ends"));
}

TEST(WindowAdmission, WithDeterminismTheHintAccumulatesInOrder) {
    HintOrder hint = by_twos();
    std::swap(hint[0][8], hint[0][10]);
    std::swap(hint[0][9], hint[0][11]);
    ScheduleOptions options = window(hint, {8});
    EXPECT_EQ(refusal(two_chunks(), options), "accepted");
    options.deterministic = true;
    EXPECT_THAT(refusal(two_chunks(), options), HasSubstr("microbatch order"));
}

TEST(SubmissionWindow, HoldsWhatTheRuleMayAdmit) {
    const Pipeline pipeline{.placement = Placement::loop(1), .microbatches = 9};
    HintOrder hint(1);
    for (const TaskKind kind : {F, B}) {
        for (int microbatch = 0; microbatch < 9; ++microbatch) {
            hint[0].push_back({kind, 0, microbatch});
        }
    }
    ScheduleOptions options{.arbiter = "bf", .hint = hint, .limits = {3}};
    EXPECT_EQ(submission_window(pipeline, options), 4) << "the limit and the chunk";
    options.arbiter = "fixed";
    options.limits = {9};
    EXPECT_EQ(submission_window(pipeline, options), 9) << "what the list spans";

    HintOrder pairs(1);
    for (int first = 0; first < 8; first += 2) {
        pairs[0].insert(pairs[0].end(),
                        {{F, 0, first + 1}, {B, 0, first + 1}, {F, 0, first}, {B, 0, first}});
    }
    options = {.arbiter = "bf", .hint = pairs, .limits = {1}, .admission = AdmissionRule::window};
    EXPECT_EQ(submission_window({.placement = Placement::loop(1), .microbatches = 8}, options), 2)
        << "the larger of both";
}

TEST(ScheduleOptions, TideWIsForTheSplit) {
    ScheduleOptions options{.arbiter = "tide-w", .hint = by_twos(), .limits = {8}};
    EXPECT_THAT(refusal(two_chunks(), options),
                AllOf(HasSubstr("'tide-w'"), HasSubstr("split_weight = true"), HasSubstr("tide")));
}

}  // namespace
}  // namespace rrfp
