// Predecessors and successors are each other's inverse, and every task but stage 0's forwards has
// an input.

#include "runtime/core/pipeline.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Task> all_tasks(const Pipeline& pipeline) {
    std::vector<Task> tasks;
    for (int kind = 0; kind < pipeline.kinds(); ++kind) {
        for (int stage = 0; stage <= pipeline.last_stage(); ++stage) {
            for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
                tasks.push_back({static_cast<TaskKind>(kind), stage, microbatch});
            }
        }
    }
    return tasks;
}

void expect_inverse(const Pipeline& pipeline) {
    const auto tasks = all_tasks(pipeline);
    for (const Task& from : tasks) {
        for (const Task& to : tasks) {
            const auto after = pipeline.successors(from);
            const auto before = pipeline.predecessors(to);
            EXPECT_EQ(std::count(after.begin(), after.end(), to),
                      std::count(before.begin(), before.end(), from))
                << to_action(from) << " and " << to_action(to);
        }
    }
}

TEST(Pipeline, PredecessorsAndSuccessorsAreInverse) {
    for (const bool split : {false, true}) {
        expect_inverse(
            {.placement = Placement::loop(2, 2), .microbatches = 2, .split_weight = split});
        expect_inverse({.placement = Placement::loop(1), .microbatches = 1, .split_weight = split});
    }
    expect_inverse({.placement = Placement::loop(3), .microbatches = 2, .forward_only = true});
}

TEST(Pipeline, KnowsWhatATaskReads) {
    const Pipeline pipeline{
        .placement = Placement::loop(3), .microbatches = 4, .split_weight = true};
    EXPECT_THAT(pipeline.predecessors({TaskKind::forward, 0, 2}), IsEmpty());
    EXPECT_THAT(pipeline.predecessors({TaskKind::backward, 1, 2}),
                ElementsAre(Task{TaskKind::forward, 1, 2}, Task{TaskKind::backward, 2, 2}));
    EXPECT_THAT(pipeline.predecessors({TaskKind::backward, 2, 0}),
                ElementsAre(Task{TaskKind::forward, 2, 0}));
    EXPECT_THAT(pipeline.predecessors({TaskKind::weight_gradient, 1, 3}),
                ElementsAre(Task{TaskKind::backward, 1, 3}));
}

TEST(Pipeline, CountsTheTasksOfARank) {
    Pipeline pipeline{.placement = Placement::loop(2, 3), .microbatches = 5};
    EXPECT_EQ(pipeline.task_count(1), 2 * 3 * 5);
    EXPECT_EQ(pipeline.release_kind(), TaskKind::backward);
    pipeline.split_weight = true;
    EXPECT_EQ(pipeline.task_count(1), 3 * 3 * 5);
    EXPECT_EQ(pipeline.release_kind(), TaskKind::weight_gradient);
    pipeline.forward_only = true;
    EXPECT_EQ(pipeline.task_count(1), 3 * 5);
    EXPECT_EQ(pipeline.release_kind(), TaskKind::forward);
}

TEST(Pipeline, OnlyResultsForAnotherRankTravel) {
    const Pipeline v{.placement = Placement({0, 1, 1, 0}), .microbatches = 1};
    EXPECT_TRUE(v.sends_message({TaskKind::forward, 0, 0}));
    EXPECT_FALSE(v.sends_message({TaskKind::forward, 1, 0}));
    EXPECT_FALSE(v.sends_message({TaskKind::forward, 3, 0}));
    EXPECT_TRUE(v.sends_message({TaskKind::backward, 3, 0}));
    EXPECT_FALSE(v.sends_message({TaskKind::backward, 0, 0}));
    EXPECT_FALSE(v.sends_message({TaskKind::weight_gradient, 1, 0}));
    EXPECT_TRUE(v.crosses_ranks({TaskKind::forward, 0, 0}, {TaskKind::forward, 1, 0}));
    EXPECT_FALSE(v.crosses_ranks({TaskKind::forward, 1, 0}, {TaskKind::forward, 2, 0}));
}

}  // namespace
}  // namespace rrfp
