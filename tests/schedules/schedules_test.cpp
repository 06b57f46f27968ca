// Every schedule lists each task once, at its rank, in an order that ends; the textbook's have the
// textbook's order and memory.

#include <algorithm>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/schedules/csv.h"
#include "adapters/schedules/fit.h"
#include "adapters/schedules/registry.h"
#include "adapters/schedules/table_check.h"
#include "runtime/core/hint_check.h"
#include "tests/schedules/shapes.h"

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

TEST(Schedules, AreWholeAndEnd) {
    for (const Shape& shape : all_shapes()) {
        const Schedule schedule = shape.schedule();
        ASSERT_NO_THROW(check_table(to_table(schedule, shape.name))) << shape;
    }
}

TEST(Schedules, AreHintsOfEveryJobOfTheirShape) {
    for (const Shape& shape : all_shapes()) {
        if (shape.name == "chimera") {
            continue;
        }
        Pipeline pipeline = shape.schedule().pipeline;
        for (const bool split : {false, true}) {
            pipeline.split_weight = split;
            const HintOrder hint = make_hint(shape.name, pipeline);
            ASSERT_NO_THROW(check_hint_cover(pipeline, hint)) << shape;
            ASSERT_NO_THROW(check_hint_runs(pipeline, hint)) << shape;
            ASSERT_NO_THROW(check_hint_accumulates_in_order(pipeline, hint)) << shape;
        }
    }
}

TEST(Schedules, KeepForwardsAloneInEvaluation) {
    const Pipeline pipeline{.placement = Placement::v(3), .microbatches = 4, .forward_only = true};
    const HintOrder hint = make_hint("zbv", pipeline);
    check_hint_cover(pipeline, hint);
    check_hint_runs(pipeline, hint);
}

TEST(Schedules, InterleavedHasMegatronsWarmUpAndOrder) {
    const Pipeline pipeline{.placement = Placement::loop(2, 2), .microbatches = 4};
    const HintOrder hint = make_hint("interleaved-1f1b", pipeline);
    EXPECT_THAT(actions(pipeline, hint[0]),
                ElementsAre("0F0", "0F1", "2F0", "2F1", "0F2", "2B0", "0F3", "2B1", "2F2", "0B0",
                            "2F3", "0B1", "2B2", "2B3", "0B2", "0B3"));
    EXPECT_THAT(actions(pipeline, hint[1]),
                ElementsAre("1F0", "1F1", "3F0", "3B0", "3F1", "3B1", "1F2", "1B0", "1F3", "1B1",
                            "3F2", "3B2", "3F3", "3B3", "1B2", "1B3"));
}

TEST(Schedules, ZeroBubbleKeepsWeightGradientsBackForTheEnd) {
    const Schedule schedule = make_schedule("zb-h1", 2, 2, 3);
    EXPECT_EQ(to_csv(schedule),
              "0F0,0F1,0I0,0W0,0F2,0I1,0W1,0I2,0W2\n1F0,1I0,1F1,1I1,1W0,1F2,1I2,1W1,1W2\n");
    EXPECT_EQ(make_schedule("zb-2p", 3, 3, 7).order, make_schedule("zb-h2", 3, 3, 7).order);
}

TEST(Schedules, ZBVWithoutWeightGradientsIsAFusedV) {
    const Pipeline fused{.placement = Placement::v(2), .microbatches = 1};
    EXPECT_THAT(actions(fused, make_hint("zbv", fused)[0]),
                ElementsAre("0F0", "3F0", "3B0", "0B0"));
}

TEST(Schedules, ChimeraRunsHalfOfEachRoundUpTheRanks) {
    const Schedule schedule = make_schedule("chimera", 4, 4, 6);
    EXPECT_THAT(schedule.upward, ElementsAre(false, false, true, true, false, false));
    for (int rank = 0; rank < 4; ++rank) {
        for (const Task& task : schedule.order[rank]) {
            EXPECT_EQ(rank, schedule.upward[task.microbatch] ? 3 - task.stage : task.stage);
        }
    }
    EXPECT_EQ(schedule.rank_of(0, 2), 3);
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
    EXPECT_THAT(refusal("1f1b", Placement::loop(2, 2)), HasSubstr("on ranks 0, 1, 0, 1"));
    for (const std::string name : {"1f1b", "zb-h1", "zb-h2"}) {
        EXPECT_THAT(refusal(name, Placement({1, 0})),
                    AllOf(HasSubstr("'" + name + "'"), HasSubstr("one stage a rank")));
    }
    for (const std::string name : {"interleaved-1f1b", "looped-bfs"}) {
        EXPECT_THAT(refusal(name, Placement::v(2)),
                    AllOf(HasSubstr("'" + name + "'"), HasSubstr("placement loop")));
    }
    for (const std::string name : {"zbv", "v-half", "v-min"}) {
        for (const auto& placement :
             {Placement::loop(2, 2), Placement::loop(2), Placement::wave(2, 4)}) {
            EXPECT_THAT(refusal(name, placement),
                        AllOf(HasSubstr("'" + name + "'"), HasSubstr("placement v")));
        }
    }
    EXPECT_THAT(refusal("hanayo", Placement::wave(2, 3)), HasSubstr("placement wave"));
    EXPECT_THAT(refusal("hanayo", Placement::loop(2, 2)), HasSubstr("placement wave"));
    EXPECT_THAT(refusal("chimera", Placement::loop(2)), HasSubstr("each stage on two ranks"));
    EXPECT_THROW(make_schedule("chimera", 3, 3, 2), std::invalid_argument);
    EXPECT_THROW(make_schedule("chimera", 4, 2, 2), std::invalid_argument);
    EXPECT_THROW(make_schedule("gpipe", 3, 2, 2), std::invalid_argument);
    EXPECT_THROW(make_schedule("gpipe", 2, 2, 0), std::invalid_argument);
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
