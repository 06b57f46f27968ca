// An action prints stage, letter, microbatch, and tasks are told apart by their hash as by
// equality.

#include "runtime/core/task.h"

#include <unordered_set>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

TEST(Task, PrintsAsAnAction) {
    EXPECT_EQ(to_action({TaskKind::forward, 2, 0}), "2F0");
    EXPECT_EQ(to_action({TaskKind::backward, 0, 17}), "0B17");
    EXPECT_EQ(to_action({TaskKind::weight_gradient, 3, 1}, true), "3W1");
}

TEST(Task, ABackwardOfASplitScheduleIsTheInputGradient) {
    EXPECT_EQ(to_action({TaskKind::backward, 1, 2}, true), "1I2");
    EXPECT_EQ(to_action({TaskKind::forward, 1, 2}, true), "1F2");
}

TEST(Task, HashTellsTasksApart) {
    std::unordered_set<std::size_t> hashes;
    for (int kind = 0; kind < task_kinds; ++kind) {
        for (int stage = 0; stage < 16; ++stage) {
            for (int microbatch = 0; microbatch < 64; ++microbatch) {
                hashes.insert(std::hash<Task>{}({static_cast<TaskKind>(kind), stage, microbatch}));
            }
        }
    }
    EXPECT_EQ(hashes.size(), task_kinds * 16U * 64U);
}

}  // namespace
}  // namespace rrfp
