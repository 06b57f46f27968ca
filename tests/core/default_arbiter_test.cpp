// A user who names no arbiter gets the one that suits the pipeline, whichever way it is started.

#include "runtime/core/arbiters/default_arbiter.h"

#include <gtest/gtest.h>

#include "runtime/core/arbiters/registry.h"

namespace rrfp {
namespace {

TEST(DefaultArbiter, IsTideWithOneStageARank) {
    EXPECT_EQ(default_arbiter({.placement = Placement::loop(4), .microbatches = 8}), "tide");
}

TEST(DefaultArbiter, IsBfWithChunks) {
    EXPECT_EQ(default_arbiter({.placement = Placement::loop(2, 2), .microbatches = 8}), "bf");
    EXPECT_EQ(default_arbiter({.placement = Placement::v(2), .microbatches = 8}), "bf");
}

TEST(DefaultArbiter, IsBfwWithASplitBackward) {
    for (const Placement& placement : {Placement::loop(2), Placement::loop(2, 2)}) {
        EXPECT_EQ(
            default_arbiter({.placement = placement, .microbatches = 8, .split_weight = true}),
            "bfw");
    }
}

TEST(DefaultArbiter, ChoosesAlikeOnAllRanksOfAGroup) {
    for (const char* name : {"tide", "bf", "bfw"}) {
        ASSERT_NE(find_arbiter(name), nullptr);
        EXPECT_FALSE(find_arbiter(name)->local);
    }
}

}  // namespace
}  // namespace rrfp
