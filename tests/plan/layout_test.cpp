// Guards: every world rank has one place and every place one world rank; groups hold exactly the
// ranks that differ from a rank in their one index; the order is Megatron-LM's, tensor fastest.

#include "adapters/plan/layout.h"

#include <stdexcept>

#include <gmock/gmock.h>

namespace rrfp {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

TEST(Layout, TensorRanksAreNeighboursThenReplicasThenPipelineRanks) {
    const Layout layout(2, 3, 4);
    EXPECT_EQ(layout.world_size(), 24);
    EXPECT_EQ(layout.world_rank({.pipeline = 1, .data = 2, .tensor = 3}), 23);
    EXPECT_EQ(layout.place(14), (RankPlace{.pipeline = 1, .data = 0, .tensor = 2}));
    EXPECT_THAT(layout.tensor_group(14), ElementsAre(12, 13, 14, 15));
    EXPECT_THAT(layout.data_group(14), ElementsAre(14, 18, 22));
    EXPECT_THAT(layout.pipeline_group(14), ElementsAre(2, 14));
    EXPECT_THAT(layout.stage_group(3), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(Layout, OneRankIsAloneInEveryGroup) {
    const Layout layout(1, 1, 1);
    EXPECT_THAT(layout.pipeline_group(0), ElementsAre(0));
    EXPECT_THAT(layout.tensor_group(0), ElementsAre(0));
    EXPECT_THAT(layout.data_group(0), ElementsAre(0));
    EXPECT_THAT(layout.stage_group(0), ElementsAre(0));
}

TEST(Layout, PlacesAndRanksAreOneToOneAndGroupsShareTheirOtherIndices) {
    const Layout layout(3, 2, 2);
    for (int rank = 0; rank < layout.world_size(); ++rank) {
        const RankPlace place = layout.place(rank);
        EXPECT_EQ(layout.world_rank(place), rank);
        for (const auto& group : {layout.pipeline_group(rank), layout.tensor_group(rank),
                                  layout.data_group(rank), layout.stage_group(rank)}) {
            EXPECT_THAT(group, Contains(rank));
        }
        for (const int peer : layout.pipeline_group(rank)) {
            EXPECT_EQ(layout.place(peer).data, place.data);
            EXPECT_EQ(layout.place(peer).tensor, place.tensor);
        }
        for (const int peer : layout.stage_group(rank)) {
            EXPECT_EQ(layout.place(peer).pipeline, place.pipeline);
        }
    }
}

TEST(Layout, SizesBelowOneAreRefused) {
    EXPECT_THROW(Layout(0, 1, 1), std::invalid_argument);
    EXPECT_THROW(Layout(1, -1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace rrfp
