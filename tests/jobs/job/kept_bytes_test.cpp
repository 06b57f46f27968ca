// Guards: a limit means what it says at every rank, whichever form it has; what is none is refused
// with the value and the remedy.

#include "adapters/jobs/job/kept_bytes.h"

#include <stdexcept>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/jobs/job_text.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::job_of;
using testing::numbers;
using testing::refusal;
using testing::synthetic;

std::string limit(const std::string& value) { return "schedule.limit=" + value; }

std::vector<int> limits(const std::string& value, const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides = more;
    overrides.push_back(limit(value));
    return plan_of(job_of(synthetic, overrides))->schedule.limits;
}

TEST(Limit, ANumberIsForEveryRankAndAListForEach) {
    EXPECT_THAT(limits("5"), ElementsAre(5, 5, 5, 5));
    EXPECT_THAT(limits("[4, 3, 9, 1]"), ElementsAre(4, 3, 9, 1));
    EXPECT_THAT(refusal(synthetic, {limit("[4, 3]")}),
                HasSubstr("has 2 entries for 4 pipeline ranks"));
}

TEST(Limit, RulesCountPipelineRanks) {
    EXPECT_THAT(limits("P-s"), ElementsAre(4, 3, 2, 1));
    EXPECT_THAT(limits("2P-s"), ElementsAre(8, 7, 6, 5));
    EXPECT_THAT(limits("3P-s"), ElementsAre(12, 11, 10, 9));
    EXPECT_THAT(limits("P-s", {"parallel.chunks=2"}), ElementsAre(4, 3, 2, 1));
}

TEST(Limit, TheResolvedJobHoldsNumbers) {
    EXPECT_THAT(numbers(job_of(synthetic, {limit("P-s")}).schedule.limit), ElementsAre(4, 3, 2, 1));
    EXPECT_THAT(numbers(job_of(synthetic, {limit("7")}).schedule.limit), ElementsAre(7));
}

TEST(Limit, BytesAreDividedByWhatOneMicrobatchKeeps) {
    // A timed stage keeps an activation and a gradient of 2048 bytes each.
    EXPECT_THAT(limits("8KiB"), ElementsAre(2, 2, 2, 2));
    EXPECT_THAT(limits("8 KiB"), ElementsAre(2, 2, 2, 2));
    EXPECT_THAT(limits("12287B"), ElementsAre(2, 2, 2, 2));
    EXPECT_THAT(limits("12288B"), ElementsAre(3, 3, 3, 3));
    EXPECT_THAT(limits("1GiB"), ElementsAre(8, 8, 8, 8));  // no more than there are microbatches
    EXPECT_THAT(refusal(synthetic, {limit("4095B")}),
                AllOf(HasSubstr("4095B"), HasSubstr("pipeline rank 0"), HasSubstr("4096")));
}

TEST(Limit, AStageOfAGptKeepsWhatAutogradSaves) {
    Job job;
    job.parallel.pipeline = 2;
    job.train.microbatch_size = 2;
    job.model = {.layers = 4, .hidden = 8, .heads = 2, .sequence = 4};
    const std::int64_t values = 2 * 4 * 8;  // tokens x hidden
    const std::int64_t probabilities = 2 * 4 * 256;
    EXPECT_EQ(bytes_in_flight(job, 0), 4 * (values + 2 * 16 * values));
    EXPECT_EQ(bytes_in_flight(job, 1), 4 * (values + 2 * 16 * values + 2 * values + probabilities));
    job.parallel.tensor = 2;
    EXPECT_EQ(bytes_in_flight(job, 0), 4 * (values + 2 * (4 + 6) * values));
    job.parallel.sequence_parallel = true;
    EXPECT_EQ(bytes_in_flight(job, 0), 4 * (values + 2 * (3 + 6) * values));
    job.model.layers_per_stage = {3, 1};
    EXPECT_EQ(bytes_in_flight(job, 0), 4 * (values + 3 * (3 + 6) * values));
    job.model.recompute = true;
    EXPECT_EQ(bytes_in_flight(job, 0), 4 * 2 * values);
}

TEST(Limit, WithTheSplitAStageKeepsWhatItsWeightGradientsNeed) {
    Job job;
    job.parallel.pipeline = 2;
    job.train.microbatch_size = 2;
    job.model = {.layers = 4, .hidden = 8, .heads = 2, .sequence = 4};
    job.schedule.split_weight = true;
    const std::int64_t values = 2 * 4 * 8;  // tokens x hidden
    const std::int64_t probabilities = 2 * 4 * 256;
    for (const bool recompute : {false, true}) {
        job.model.recompute = recompute;
        EXPECT_EQ(bytes_in_flight(job, 0), 4 * (values + 2 * 16 * values));
        EXPECT_EQ(bytes_in_flight(job, 1), 4 * (values + (2 * 20 + 3) * values + probabilities));
    }
    job.parallel.tensor = 2;
    EXPECT_EQ(bytes_in_flight(job, 1),
              4 * (values + (2 * (8 + 6) + 3) * values + probabilities / 2));
    job.parallel.sequence_parallel = true;
    EXPECT_EQ(bytes_in_flight(job, 1),
              4 * (values + (2 * (6 + 6) + 3) * values + probabilities / 2));
}

TEST(Limit, OtherWordsAreRefusedWithTheFormsThereAre) {
    for (const char* word :
         {"P", "s", "P-S", "p-s", "P+s", "0P-s", "-1P-s", "2P-s ", "MiB", "0MiB", "-1MiB", "1.5MiB",
          "512", "512 TB", "512MiB/s", "99999999999999999999GiB", "2000000P-s", ""}) {
        EXPECT_THAT(
            refusal(synthetic, {limit(fmt::format("\"{}\"", word))}),
            AllOf(HasSubstr("--set: schedule.limit = "), HasSubstr("\"P-s\""), HasSubstr("512MiB")))
            << word;
    }
}

}  // namespace
}  // namespace rrfp
