// A group has exactly the ranks that it was given, in their order, whoever makes it; what cannot be
// a group is refused with its name, its ranks and what is wrong, and then nothing has been sent.
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/mpi/rank_group.h"
#include "tests/mpi/mpi_environment.h"

namespace rrfp::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int tag = 1;

int own() { return MpiEnvironment::mpi().rank(); }

std::string refusal(const std::vector<int>& world_ranks) {
    try {
        const RankGroup group(world_ranks, "pair", tag);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

TEST(RankGroup, HasItsRanksInTheOrderGiven) {
    for (const std::vector<int>& ranks : {std::vector{0, 1}, std::vector{1, 0}}) {
        const RankGroup group(ranks, "pair", tag);
        EXPECT_EQ(group.size(), 2);
        EXPECT_EQ(ranks[static_cast<std::size_t>(group.rank())], own());
        int size = 0;
        ASSERT_EQ(MPI_Comm_size(group.communicator(), &size), MPI_SUCCESS);
        EXPECT_EQ(size, 2);
    }
    const std::vector<int> alone = {own()};
    EXPECT_EQ(RankGroup(alone, "alone", tag).size(), 1);
}

TEST(RankGroup, ReturnsErrorsAndIsApartFromTheWorld) {
    const std::vector<int> both = {0, 1};
    const RankGroup group(both, "pair", tag);
    int value = 0;
    EXPECT_NE(MPI_Bcast(&value, 1, MPI_INT, 7, group.communicator()), MPI_SUCCESS);
    int same = MPI_IDENT;
    ASSERT_EQ(MPI_Comm_compare(group.communicator(), MPI_COMM_WORLD, &same), MPI_SUCCESS);
    EXPECT_EQ(same, MPI_CONGRUENT);
}

TEST(RankGroup, WhatCannotBeAGroupIsRefused) {
    const int peer = 1 - own();
    EXPECT_THAT(refusal({}), AllOf(StartsWith("pair of world ranks []"), HasSubstr("not in it")));
    EXPECT_THAT(refusal({peer}), HasSubstr("is not in it"));
    EXPECT_THAT(refusal({own(), 2}), HasSubstr("ranks 0 to 1"));
    EXPECT_THAT(refusal({-1, own()}), HasSubstr("ranks 0 to 1"));
    EXPECT_THAT(refusal({own(), peer, own()}),
                AllOf(HasSubstr("a rank is given twice"), HasSubstr("give distinct ranks")));
    const std::vector<int> both = {0, 1};
    EXPECT_EQ(RankGroup(both, "pair", tag).size(), 2) << "still in step with each other";
}

}  // namespace
}  // namespace rrfp::testing
