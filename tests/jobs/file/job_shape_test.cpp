// Guards: keys that describe the pipeline's shape say one thing: which rank holds which stage and
// which layers a stage has. What contradicts itself is refused, with both values.

#include "adapters/jobs/file/job_shape.h"

#include <gmock/gmock.h>

#include "tests/jobs/job_text.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::job_of;
using testing::refusal;
using testing::synthetic;

constexpr auto gpt = "[data]\ntext = 'book.txt'\n[parallel]\npipeline = 2\n";

std::vector<int> ranks(const std::vector<std::string>& overrides) {
    const Placement placement = job_of(synthetic, overrides).placement();
    std::vector<int> list;
    for (int stage = 0; stage < placement.stages(); ++stage)
        list.push_back(placement.rank_of(stage));
    return list;
}

TEST(JobShape, PlacementsByName) {
    EXPECT_THAT(ranks({}), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(ranks({"parallel.chunks=2"}), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
    EXPECT_THAT(ranks({"parallel.placement=v"}), ElementsAre(0, 1, 2, 3, 3, 2, 1, 0));
    EXPECT_THAT(ranks({"parallel.placement=wave"}), ElementsAre(0, 1, 2, 3, 3, 2, 1, 0));
    EXPECT_THAT(ranks({"parallel.placement=wave", "parallel.pipeline=2", "parallel.chunks=3"}),
                ElementsAre(0, 1, 1, 0, 0, 1));
}

TEST(JobShape, APlacementByListGivesEachRankWhatItSays) {
    const std::vector<std::string> list = {"parallel.placement=[0, 1, 2, 3, 3, 0]"};
    EXPECT_THAT(ranks(list), ElementsAre(0, 1, 2, 3, 3, 0));
    EXPECT_EQ(job_of(synthetic, list).parallel.chunks, 2);
}

TEST(JobShape, AVHasTwoStagesARank) {
    EXPECT_EQ(job_of(synthetic, {"parallel.placement=v"}).parallel.chunks, 2);
    EXPECT_THAT(refusal(synthetic, {"parallel.placement=v", "parallel.chunks=3"}),
                AllOf(HasSubstr("--set: parallel.chunks = 3"), HasSubstr("set it to 2")));
}

TEST(JobShape, AListThatIsNoPlacementIsRefused) {
    EXPECT_THAT(refusal(synthetic, {"parallel.placement=[0, 1, 2]"}),
                AllOf(HasSubstr("parallel.placement"), HasSubstr("ranks 0 to 2"),
                      HasSubstr("parallel.pipeline = 4")));
    EXPECT_THAT(refusal(synthetic, {"parallel.placement=[0, 1, 3, 3]"}), HasSubstr("rank 2"));
    EXPECT_THAT(refusal(synthetic, {"parallel.placement=[0, 1, 2, 9]"}), HasSubstr("rank 9"));
    EXPECT_THAT(refusal(synthetic, {"parallel.placement=[]"}), HasSubstr("must be one of loop"));
    EXPECT_THAT(refusal(synthetic, {"parallel.placement=[-1, 0]"}), HasSubstr("must be one of"));
    EXPECT_THAT(refusal(synthetic, {"parallel.placement=zigzag"}),
                AllOf(HasSubstr("unknown placement"), HasSubstr("loop"), HasSubstr("wave")));
    EXPECT_THAT(refusal(synthetic, {"parallel.placement=[0,1,2,3,0]", "parallel.chunks=1"}),
                AllOf(HasSubstr("parallel.chunks = 1"), HasSubstr("2 stages")));
}

TEST(JobShape, LayersAreDividedEvenlyOrAsTold) {
    EXPECT_THAT(job_of(gpt).layers_of_stages(), ElementsAre(2, 2));
    const Job uneven = job_of(gpt, {"model.layers_per_stage=[1, 4]"});
    EXPECT_THAT(uneven.layers_of_stages(), ElementsAre(1, 4));
    EXPECT_EQ(uneven.model.layers, 5);
    EXPECT_THAT(job_of(gpt, {"model.layers_per_stage=[3, 1]", "model.layers=4"}).layers_of_stages(),
                ElementsAre(3, 1));
}

TEST(JobShape, LayersThatDoNotFitAreRefused) {
    EXPECT_THAT(refusal(gpt, {"model.layers_per_stage=[1, 2, 1]"}),
                HasSubstr("has 3 entries for 2 stages"));
    EXPECT_THAT(refusal(gpt, {"model.layers_per_stage=[3, 2]", "model.layers=4"}),
                AllOf(HasSubstr("5 layers in all"), HasSubstr("model.layers = 4")));
    EXPECT_THAT(refusal(gpt, {"model.layers_per_stage=[4, 0]"}), HasSubstr("from 1 to"));
    EXPECT_THAT(refusal(gpt, {"parallel.placement=v", "model.layers=6"}),
                HasSubstr("cannot be cut into 4 equal stages"));
}

}  // namespace
}  // namespace rrfp
