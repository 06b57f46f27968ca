// Guards: a job file means what it says; what it does not say has the documented default; each
// mistake is refused with file, line, key, value and remedy, all of them at once.

#include "adapters/jobs/file/job_file.h"

#include <gmock/gmock.h>

#include "tests/jobs/job_text.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::job_of;
using ::testing::Not;
using testing::numbers;
using testing::refusal;
using testing::synthetic;

TEST(JobFile, ThreeLinesAreAJob) {
    const Job job = job_of("[data]\ntext = 'book.txt'\n[parallel]\n");
    EXPECT_EQ(job.model.kind, "gpt");
    EXPECT_EQ(job.data.text, "/jobs/book.txt");
    EXPECT_EQ(job.parallel.pipeline, 1);
    EXPECT_EQ(job.schedule.arbiter, "tide");
    EXPECT_EQ(job.schedule.hint, "1f1b");
    EXPECT_THAT(numbers(job.schedule.limit), ElementsAre(32));
    EXPECT_EQ(job.train.iterations, 10);
    EXPECT_EQ(job.train.learning_rate, 1e-3);
    EXPECT_EQ(job.train.clip_norm, 1);
    EXPECT_EQ(job.watchdog_seconds, 60);
    EXPECT_FALSE(job.jitter.comm_cv.has_value());
}

TEST(JobFile, ReadsEveryTypeOfValue) {
    const Job job = job_of(std::string(synthetic) +
                           "[schedule]\nlimit = [4, 3, 2, 1]\ndeterministic = true\n"
                           "[train]\nseed = 9007199254740993\n"
                           "[jitter]\ncomm_cv = 0.5\ncomm_mean_ms = 3\n");
    EXPECT_EQ(job.model.forward_ms, 10);
    EXPECT_THAT(numbers(job.schedule.limit), ElementsAre(4, 3, 2, 1));
    EXPECT_TRUE(job.schedule.deterministic);
    EXPECT_EQ(job.train.seed, 9007199254740993u);  // beyond a double's whole numbers
    EXPECT_EQ(job.jitter.comm_cv, 0.5);
    EXPECT_EQ(job.jitter.comm_mean_ms, 3);
}

TEST(JobFile, LimitsAreSpeltOutPerRank) {
    EXPECT_THAT(plan_of(job_of(synthetic))->schedule.limits, ElementsAre(32, 32, 32, 32));
    const std::string text = std::string(synthetic) + "[schedule]\nlimit = [4, 3, 2, 1]\n";
    EXPECT_THAT(plan_of(job_of(text))->schedule.limits, ElementsAre(4, 3, 2, 1));
}

TEST(JobFile, AFixedOrderWithoutALimitHasItsOwnMemory) {
    const Job job = job_of(std::string(synthetic) + "[schedule]\narbiter = 'fixed'\n");
    EXPECT_THAT(numbers(job.schedule.limit), ElementsAre(4, 3, 2, 1));
}

TEST(JobFile, SyntaxErrorsNameTheLine) {
    EXPECT_THAT(refusal("[model]\nlayers = = 3\n"), HasSubstr("/jobs/demo.toml: line 2: "));
}

TEST(JobFile, AWrongTypeNamesPlaceKeyValueAndRemedy) {
    EXPECT_EQ(refusal("\n[model]\nlayers = 'many'\n"),
              "/jobs/demo.toml: line 3: model.layers = 'many': must be a whole number from 1 to "
              "100000");
}

TEST(JobFile, NumbersOutOfRangeAreRefused) {
    EXPECT_THAT(refusal("[train]\niterations = 0\n"), HasSubstr("must be a whole number"));
    EXPECT_THAT(refusal("[train]\niterations = 1.5\n"), HasSubstr("must be a whole number"));
    EXPECT_THAT(refusal("[train]\niterations = 3000000000\n"), HasSubstr("from 1 to 1000000000"));
    EXPECT_THAT(refusal("[train]\nmicrobatches = 1000001\n"), HasSubstr("from 1 to 1000000"));
    EXPECT_THAT(refusal("[parallel]\npipeline = 4097\n"), HasSubstr("from 1 to 4096"));
    EXPECT_THAT(refusal("[train]\nseed = -1\n"), HasSubstr("of at least 0"));
    EXPECT_THAT(refusal("[train]\nlearning_rate = nan\n"), HasSubstr("must be a number"));
    EXPECT_THAT(refusal("[model]\nforward_ms = 0\n"), HasSubstr("above 0"));
    EXPECT_THAT(refusal("[model]\ndropout = 1.5\n"), HasSubstr("from 0 to 0.99"));
    EXPECT_THAT(refusal("[schedule]\nlimit = [4, 0]\n"), HasSubstr("schedule.limit = [ 4, 0 ]"));
}

TEST(JobFile, AnIterationOfTooManyTasksIsRefused) {
    EXPECT_THAT(refusal(synthetic, {"train.microbatches=1000000", "parallel.pipeline=4096"}),
                AllOf(HasSubstr("train.microbatches"), HasSubstr("4096 stages"),
                      HasSubstr("1000000 in all")));
}

TEST(JobFile, WordsFarFromAllKnownOnesListThem) {
    EXPECT_THAT(refusal("[train]\nzzz = 3\n"),
                AllOf(HasSubstr("the keys of [train] are microbatches, "), Not(HasSubstr("mean"))));
    EXPECT_THAT(refusal("[zzz]\nlimit = 3\n"),
                AllOf(HasSubstr("the sections are [model], "), Not(HasSubstr("mean"))));
    EXPECT_THAT(refusal("[schedule]\narbiter = 'zzz'\n"),
                AllOf(HasSubstr("unknown arbiter; known: bf"), Not(HasSubstr("mean"))));
}

TEST(JobFile, AnUnknownKeyNamesTheNearestOne) {
    EXPECT_THAT(refusal("[model]\nlayesr = 3\n"),
                HasSubstr("line 2: model.layesr = 3: unknown key; did you mean model.layers?"));
}

TEST(JobFile, AnUnknownSectionNamesTheNearestOne) {
    EXPECT_THAT(refusal("[shedule]\nlimit = 3\n"),
                HasSubstr("line 1: [shedule]: unknown section; did you mean [schedule]?"));
}

TEST(JobFile, AKeyInTheWrongPlaceIsToldItsSection) {
    EXPECT_THAT(refusal("[model]\nlimit = 3\n"), HasSubstr("limit belongs to section [schedule]"));
    EXPECT_THAT(refusal("arbiter = 'bf'\n"), HasSubstr("arbiter belongs to section [schedule]"));
    EXPECT_THAT(refusal("model = 3\n"), HasSubstr("model = 3: is a section"));
}

TEST(JobFile, TellsAllFaultsAtOnce) {
    EXPECT_THAT(refusal("[model]\nlayers = 0\nkind = 'bert'\n[train]\niterations = true\n"),
                AllOf(HasSubstr("line 2: "), HasSubstr("line 3: "), HasSubstr("line 5: ")));
}

TEST(JobFile, AnUnknownWordListsTheKnownOnes) {
    EXPECT_THAT(refusal("[schedule]\narbiter = 'b-prioriti'\n"),
                AllOf(HasSubstr("did you mean b-priority?"), HasSubstr("Known: "),
                      HasSubstr("fixed"), HasSubstr("line 2")));
    EXPECT_THAT(refusal(std::string(synthetic) + "[schedule]\nhint = '1f2b'\n"),
                AllOf(HasSubstr("schedule.hint = '1f2b'"), HasSubstr("did you mean 1f1b?"),
                      HasSubstr("gpipe")));
}

TEST(JobFile, AMissingFileIsNamed) {
    try {
        read_job_text("/nowhere/job.toml");
        FAIL();
    } catch (const BadInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("/nowhere/job.toml: cannot be read: No such file"));
    }
    EXPECT_THROW(read_job_text("/tmp"), BadInput);
}

}  // namespace
}  // namespace rrfp
