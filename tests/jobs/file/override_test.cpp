// Guards: `--set section.key=value` reaches any key, wins over the file, reads TOML or a bare word,
// and is named in errors about it.

#include "adapters/jobs/file/override.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "tests/jobs/job_text.h"

namespace rrfp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::job_of;
using testing::refusal;
using testing::synthetic;

TEST(Override, WinsOverTheFileAndLaterOnesOverEarlier) {
    const Job job = job_of(synthetic, {"parallel.pipeline=2", "parallel.pipeline=3"});
    EXPECT_EQ(job.parallel.pipeline, 3);
}

TEST(Override, ABareWordIsAText) {
    EXPECT_EQ(job_of(synthetic, {"schedule.arbiter=b-priority"}).schedule.arbiter, "b-priority");
    EXPECT_EQ(job_of(synthetic, {"schedule.hint=1f1b"}).schedule.hint, "1f1b");
    EXPECT_EQ(job_of(synthetic, {"schedule.hint=\"gpipe\""}).schedule.hint, "gpipe");
}

TEST(Override, AValueIsToml) {
    const Job job = job_of(synthetic, {"schedule.limit=[4,3,2,1]", "schedule.deterministic=true",
                                       "jitter.compute_cv=5e-1", "data.text=/books/a b=c.txt"});
    EXPECT_THAT(testing::numbers(job.schedule.limit), ElementsAre(4, 3, 2, 1));
    EXPECT_TRUE(job.schedule.limit_given);
    EXPECT_TRUE(job.schedule.deterministic);
    EXPECT_EQ(job.jitter.compute_cv, 0.5);
    EXPECT_EQ(job.data.text, "/books/a b=c.txt");
}

TEST(Override, APathStartsAtTheCurrentFolder) {
    EXPECT_EQ(job_of(synthetic, {"data.text=book.txt"}).data.text,
              (std::filesystem::current_path() / "book.txt").string());
}

TEST(Override, FaultsNameTheOption) {
    EXPECT_THAT(refusal(synthetic, {"parallel.pipeline=none"}),
                HasSubstr("--set: parallel.pipeline = 'none': must be a whole number"));
    EXPECT_THAT(refusal(synthetic, {"parallel.pipelin=4"}),
                HasSubstr("--set: parallel.pipelin = 4: unknown key; did you mean "
                          "parallel.pipeline?"));
    EXPECT_THAT(refusal(synthetic, {"paralel.pipeline=4"}), HasSubstr("did you mean [parallel]?"));
    EXPECT_THAT(refusal(synthetic, {"limit=4"}), HasSubstr("must be section.key=value"));
    EXPECT_THAT(refusal(synthetic, {"schedule.limit"}), HasSubstr("must be section.key=value"));
    EXPECT_THAT(refusal(synthetic, {"schedule.limit=[4,"}), HasSubstr("the value is not TOML"));
    EXPECT_THAT(refusal(synthetic, {"schedule.limit="}), HasSubstr("the value is not TOML"));
    EXPECT_THAT(refusal(synthetic, {"schedule.limit=3\nhint=4"}), HasSubstr("is not TOML"));
}

}  // namespace
}  // namespace rrfp
