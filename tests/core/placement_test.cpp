// Every stage is on one rank, every rank holds a stage, and chunks number a rank's stages upwards.

#include "runtime/core/placement.h"

#include <cstdlib>
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

TEST(Placement, WaveTurnsAtBothEnds) {
    const Placement v = Placement::v(3);
    for (int rank = 0; rank < 3; ++rank) {
        EXPECT_THAT(v.stages_of(rank), ElementsAre(rank, 5 - rank));
    }
    EXPECT_EQ(Placement::wave(2, 3), Placement({0, 1, 1, 0, 0, 1}));
    for (const int chunks : {1, 2, 3, 4, 5}) {
        const Placement wave = Placement::wave(4, chunks);
        for (int stage = 1; stage < wave.stages(); ++stage) {
            const int step = std::abs(wave.rank_of(stage) - wave.rank_of(stage - 1));
            EXPECT_EQ(step, stage % 4 == 0 ? 0 : 1) << "stage " << stage << " of " << chunks;
        }
    }
}

TEST(Placement, OneRankHoldsEverythingWhateverTheShape) {
    EXPECT_EQ(Placement::v(1), Placement::loop(1, 2));
    EXPECT_EQ(Placement::wave(5, 1), Placement::loop(5));
    EXPECT_FALSE(Placement::v(2) == Placement::loop(2, 2));
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
    EXPECT_THROW(Placement::v(0), std::invalid_argument);
    EXPECT_THROW(Placement::wave(2, 0), std::invalid_argument);
}

}  // namespace
}  // namespace rrfp
