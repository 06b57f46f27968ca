// Every stage is on one rank, every rank holds a stage, and chunks number a rank's stages upwards.

#include "runtime/core/placement.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Placement, LoopDealsStagesRoundRobin) {
    const Placement placement = Placement::loop(3, 2);
    EXPECT_EQ(placement.stages(), 6);
    EXPECT_EQ(placement.ranks(), 3);
    for (int stage = 0; stage < 6; ++stage) {
        EXPECT_EQ(placement.rank_of(stage), stage % 3);
        EXPECT_EQ(placement.chunk_of(stage), stage / 3);
    }
    EXPECT_THAT(placement.stages_of(1), ElementsAre(1, 4));
}

TEST(Placement, TakesAnyList) {
    const Placement v({0, 1, 1, 0});
    EXPECT_EQ(v.ranks(), 2);
    EXPECT_EQ(v.chunks(0), 2);
    EXPECT_THAT(v.stages_of(0), ElementsAre(0, 3));
    EXPECT_EQ(v.chunk_of(3), 1);
}

std::string refusal(const std::vector<int>& rank_of_stage) {
    try {
        const Placement placement(rank_of_stage);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Placement, RefusesRanksThatCannotBe) {
    EXPECT_THAT(refusal({}), HasSubstr("no stage"));
    EXPECT_THAT(refusal({0, -1}), HasSubstr("stage 1 is on rank -1"));
    EXPECT_THAT(refusal({0, 2, 0}), HasSubstr("rank 1 holds no stage"));
    EXPECT_THAT(refusal({0, 1'000'000'000}), HasSubstr("stage 1 is on rank 1000000000"));
    EXPECT_THROW(Placement::loop(0), std::invalid_argument);
    EXPECT_THROW(Placement::loop(2, 0), std::invalid_argument);
}

}  // namespace
}  // namespace rrfp
