// Guards: a trace names each task by its action, without spaces, gives kinds different colours and
// chunks different shades; without a trace no name is kept.

#include "runtime/starpu/tracing/task_appearance.h"

#include <set>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

const Pipeline pipeline{
    .placement = Placement::loop(4, 3), .microbatches = 12, .split_weight = true};

TEST(TaskAppearance, NamesTasks) {
    const TaskAppearance appearance(pipeline, 2, true);
    EXPECT_STREQ(appearance.name({TaskKind::forward, 10, 3}), "10F3");
    EXPECT_STREQ(appearance.name({TaskKind::backward, 2, 11}), "2I11");
    EXPECT_STREQ(appearance.name({TaskKind::weight_gradient, 6, 0}), "6W0");
    EXPECT_EQ(TaskAppearance(pipeline, 2, false).name({TaskKind::forward, 10, 3}), nullptr);
}

TEST(TaskAppearance, ColoursKindsAndChunks) {
    const TaskAppearance appearance(pipeline, 2, false);
    std::set<unsigned> colors;
    for (const TaskKind kind : {TaskKind::forward, TaskKind::backward, TaskKind::weight_gradient}) {
        for (const int stage : {2, 6, 10}) {
            const unsigned color = appearance.color({kind, stage, 0});
            EXPECT_LE(color, 0xFFFFFFU);
            colors.insert(color);
            EXPECT_EQ(color, appearance.color({kind, stage, 7}));
        }
    }
    EXPECT_EQ(colors.size(), 9U);
}

}  // namespace
}  // namespace rrfp
