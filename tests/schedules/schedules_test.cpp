// Every schedule lists each task once, at its rank, in an order that ends; the textbook's have the
// textbook's order and memory.

#include <algorithm>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "adapters/schedules/fit.h"
#include "adapters/schedules/registry.h"
#include "runtime/core/hint_check.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> actions(const Pipeline& pipeline, const std::vector<Task>& list) {
    std::vector<std::string> cells;
    for (const Task& task : list) {
        cells.push_back(to_action(task, pipeline.split_weight));
    }
    return cells;
}

RC_GTEST_PROP(Schedules, AreWholeAndEnd, ()) {
    const Pipeline pipeline{.placement = Placement::loop(*rc::gen::inRange(1, 9)),
                            .microbatches = *rc::gen::inRange(1, 20),
                            .split_weight = *rc::gen::arbitrary<bool>(),
                            .forward_only = *rc::gen::arbitrary<bool>()};
    const HintOrder hint = make_hint(*rc::gen::elementOf(schedule_names()), pipeline);
    check_hint_cover(pipeline, hint);
    check_hint_runs(pipeline, hint);
    check_hint_accumulates_in_order(pipeline, hint);
}

TEST(Schedules, OneForwardOneBackwardIsTheTextbooks) {
    const Pipeline pipeline{.placement = Placement::loop(3), .microbatches = 4};
    const HintOrder hint = make_hint("1f1b", pipeline);
    EXPECT_THAT(actions(pipeline, hint[0]),
                ElementsAre("0F0", "0F1", "0F2", "0B0", "0F3", "0B1", "0B2", "0B3"));
    EXPECT_THAT(actions(pipeline, hint[1]),
                ElementsAre("1F0", "1F1", "1B0", "1F2", "1B1", "1F3", "1B2", "1B3"));
    EXPECT_THAT(actions(pipeline, hint[2]),
                ElementsAre("2F0", "2B0", "2F1", "2B1", "2F2", "2B2", "2F3", "2B3"));
}

TEST(Schedules, OneForwardOneBackwardHoldsWhatItMust) {
    for (const int microbatches : {1, 3, 8, 20}) {
        const Pipeline pipeline{.placement = Placement::loop(8), .microbatches = microbatches};
        const HintOrder hint = make_hint("1f1b", pipeline);
        for (int rank = 0; rank < 8; ++rank) {
            EXPECT_EQ(peak_in_flight(pipeline, hint[rank]), std::min(8 - rank, microbatches));
        }
    }
}

TEST(Schedules, GPipeRunsAllForwardsFirst) {
    const Pipeline pipeline{.placement = Placement::loop(2, 2), .microbatches = 2};
    const HintOrder hint = make_hint("gpipe", pipeline);
    EXPECT_THAT(actions(pipeline, hint[1]),
                ElementsAre("1F0", "1F1", "3F0", "3F1", "3B0", "3B1", "1B0", "1B1"));
    check_hint_runs(pipeline, hint);
    EXPECT_EQ(peak_in_flight(pipeline, hint[0]), 4);
}

TEST(Schedules, RefuseWhatTheyAreNotMadeFor) {
    const auto refusal = [](std::string_view name, const Placement& placement) -> std::string {
        try {
            make_hint(name, {.placement = placement, .microbatches = 2});
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_THAT(refusal("2f2b", Placement::loop(2)),
                AllOf(HasSubstr("'2f2b'"), HasSubstr("gpipe, 1f1b")));
    EXPECT_THAT(refusal("1f1b", Placement::loop(2, 2)), HasSubstr("rank 0 holds 2 stages"));
    EXPECT_THAT(refusal("1f1b", Placement({1, 0})), HasSubstr("one stage a rank"));
}

TEST(Fit, AddsWeightGradientsWhereTheListHasNone) {
    const Pipeline split{.placement = Placement::loop(1), .microbatches = 2, .split_weight = true};
    EXPECT_THAT(actions(split, make_hint("1f1b", split)[0]),
                ElementsAre("0F0", "0I0", "0W0", "0F1", "0I1", "0W1"));
    // A list that places one weight gradient itself keeps it there.
    const HintOrder placed = {{{TaskKind::forward, 0, 0},
                               {TaskKind::backward, 0, 0},
                               {TaskKind::forward, 0, 1},
                               {TaskKind::backward, 0, 1},
                               {TaskKind::weight_gradient, 0, 0}}};
    EXPECT_THAT(actions(split, fit_hint(split, placed)[0]),
                ElementsAre("0F0", "0I0", "0F1", "0I1", "0W1", "0W0"));
}

TEST(Fit, DropsWhatTheIterationLacks) {
    Pipeline pipeline{.placement = Placement::loop(1), .microbatches = 1};
    const HintOrder whole = {
        {{TaskKind::forward, 0, 0}, {TaskKind::backward, 0, 0}, {TaskKind::weight_gradient, 0, 0}}};
    EXPECT_THAT(actions(pipeline, fit_hint(pipeline, whole)[0]), ElementsAre("0F0", "0B0"));
    pipeline.forward_only = true;
    EXPECT_THAT(actions(pipeline, fit_hint(pipeline, whole)[0]), ElementsAre("0F0"));
}

}  // namespace
}  // namespace rrfp
