// Guards: keys that contradict each other are refused before anything starts, at the line of one of
// them, with the values of both.

#include "adapters/jobs/file/job_check.h"

#include <gmock/gmock.h>

#include "adapters/jobs/job/job_plan.h"
#include "tests/jobs/job_text.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::job_of;
using testing::refusal;
using testing::synthetic;

constexpr auto gpt = "[data]\ntext = 'book.txt'\n";

TEST(JobCheck, LayersMustDivideIntoStages) {
    EXPECT_EQ(refusal(std::string(gpt) + "[model]\nlayers = 5\n[parallel]\npipeline = 4\n"),
              "/jobs/demo.toml: line 4: model.layers = 5: cannot be cut into 4 equal stages; make "
              "it a multiple of 4, or give model.layers_per_stage");
}

TEST(JobCheck, ADefaultAtFaultIsSaidNotToBeGiven) {
    EXPECT_THAT(refusal(std::string(gpt) + "[parallel]\npipeline = 3\n"),
                HasSubstr("/jobs/demo.toml: model.layers = 4 (not given): cannot be cut"));
}

TEST(JobCheck, HeadsMustDivideHidden) {
    EXPECT_THAT(refusal(std::string(gpt) + "[model]\nheads = 5\n"),
                AllOf(HasSubstr("line 4: model.heads = 5"), HasSubstr("model.hidden = 64")));
}

TEST(JobCheck, RequiredKeys) {
    EXPECT_THAT(refusal("[train]\nseed = 1\n"), HasSubstr("data.text = \"\" (not given)"));
    EXPECT_THAT(refusal("[model]\nkind = 'synthetic'\n"),
                AllOf(HasSubstr("model.forward_ms"), HasSubstr("model.backward_ms")));
    EXPECT_THAT(refusal(std::string(gpt) + "[model]\nforward_ms = 3\n"),
                HasSubstr("give both or neither"));
}

TEST(JobCheck, AScaleHasOneEntryAStage) {
    EXPECT_THAT(refusal(synthetic, {"model.stage_scale=[1,2]"}),
                HasSubstr("has 2 entries for 4 stages"));
    EXPECT_NO_THROW(job_of(synthetic, {"model.stage_scale=[1,2,1,1]"}));
}

TEST(JobCheck, DefaultsFollowTheShape) {
    const auto schedule = [](const std::vector<std::string>& overrides) {
        return job_of(synthetic, overrides).schedule;
    };
    EXPECT_EQ(schedule({}).arbiter, "tide");
    EXPECT_EQ(schedule({}).hint, "1f1b");
    EXPECT_EQ(schedule({}).admission, "graded");
    EXPECT_EQ(schedule({"schedule.split_weight=true"}).arbiter, "tide-w");
    EXPECT_EQ(schedule({"schedule.split_weight=true"}).hint, "zb-h1");
    EXPECT_EQ(schedule({"parallel.chunks=2"}).arbiter, "tide");
    EXPECT_EQ(schedule({"parallel.chunks=2"}).admission, "window");
    EXPECT_EQ(schedule({"parallel.chunks=2"}).hint, "interleaved-1f1b");
    EXPECT_EQ(schedule({"parallel.placement=v"}).hint, "zbv");
}

TEST(JobCheck, DefaultsFollowTheLimit) {
    const auto schedule = [](const std::vector<std::string>& more) {
        std::vector<std::string> overrides = {"parallel.chunks=2", "train.microbatches=16"};
        overrides.insert(overrides.end(), more.begin(), more.end());
        return job_of(synthetic, overrides).schedule;
    };
    // Interleaved 1F1B keeps 11, 9, 7, 5 microbatches.
    EXPECT_EQ(schedule({"schedule.limit=[11, 9, 7, 5]"}).admission, "window");
    EXPECT_EQ(schedule({"schedule.limit=10"}).admission, "graded");
    EXPECT_EQ(schedule({"schedule.limit=10"}).arbiter, "f-priority");
    EXPECT_EQ(schedule({"schedule.limit=1"}).admission, "drain");
    EXPECT_EQ(schedule({"schedule.limit=1"}).arbiter, "bf");
    EXPECT_EQ(schedule({"schedule.limit=1", "schedule.arbiter=order"}).arbiter, "order");
    EXPECT_EQ(schedule({"parallel.placement=[0,0,1,1,2,2,3,3]"}).admission, "graded");
}

TEST(JobCheck, WithoutALimitNoRankHasLessThanTheSchedule) {
    const Job job =
        job_of(synthetic, {"parallel.pipeline=8", "parallel.chunks=4", "train.microbatches=32"});
    EXPECT_THAT(testing::numbers(job.schedule.limit),
                ::testing::ElementsAre(39, 37, 35, 33, 32, 32, 32, 32));
    EXPECT_EQ(plan_of(job)->schedule.limits, testing::numbers(job.schedule.limit));
}

TEST(JobCheck, AFixedOrderBeyondAGivenLimitNamesRankPeakAndLimit) {
    EXPECT_THAT(refusal(std::string(synthetic) + "[schedule]\narbiter = 'fixed'\nlimit = 2\n"),
                AllOf(HasSubstr("line 9: schedule.limit = 2"), HasSubstr("rank 0"),
                      HasSubstr("4 micro"), HasSubstr("2")));
}

TEST(JobCheck, SmallPipelinesAndLimitsRun) {
    for (const char* change : {"train.microbatches=1", "train.microbatches=2",
                               "parallel.pipeline=1", "schedule.limit=1"}) {
        EXPECT_NO_THROW(job_of(synthetic, {change})) << change;
    }
}

TEST(JobCheck, CheckpointsNeedAFolder) {
    EXPECT_THAT(refusal(std::string(gpt) + "[output]\nresume = true\n"),
                HasSubstr("line 4: output.resume = true: needs output.checkpoint"));
    EXPECT_THAT(refusal(synthetic, {"output.checkpoint=here"}), HasSubstr("nothing to keep"));
}

TEST(JobCheck, RatesMustDecay) {
    EXPECT_THAT(refusal(std::string(gpt) + "[train]\nmin_learning_rate = 1\n"),
                HasSubstr("is above train.learning_rate = 0.001"));
}

TEST(JobCheck, RanksThatEachChooseNeedAnArbiterThatComesToTheSame) {
    const std::vector<std::string> each = {"parallel.tensor=2", "schedule.agreement=allgather",
                                           "schedule.arbiter=critical-path"};
    EXPECT_THAT(refusal(synthetic, each),
                AllOf(HasSubstr("schedule.arbiter = 'critical-path'"), HasSubstr("allgather")));
    EXPECT_NO_THROW(job_of(synthetic, {each[0], each[1]}));
    EXPECT_NO_THROW(job_of(synthetic, {each[0], each[2]}));
    EXPECT_NO_THROW(job_of(synthetic, {each[1], each[2]})) << "a rank alone agrees with itself";
}

}  // namespace
}  // namespace rrfp
