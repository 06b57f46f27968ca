// Guards: the table of keys is sound, its defaults pass its own checks, and docs/job-file.md is
// what the table says.

#include "adapters/jobs/file/job_keys.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "adapters/jobs/file/job_json.h"
#include "adapters/jobs/file/job_markdown.h"
#include "adapters/jobs/file/job_value.h"
#include "adapters/jobs/file/key_text.h"

namespace rrfp {
namespace {

TEST(JobKeys, EveryKeyIsUniqueAndDocumented) {
    std::set<std::string> paths;
    for (const JobKey& key : job_keys()) {
        EXPECT_TRUE(paths.insert(key.path()).second) << key.path();
        EXPECT_FALSE(key.doc.empty()) << key.path();
        EXPECT_EQ(find_job_key(key.section, key.name), &key);
    }
}

TEST(JobKeys, EveryNumberIsBounded) {
    for (const JobKey& key : job_keys()) {
        const bool any_value = std::holds_alternative<bool& (*)(Job&)>(key.target) ||
                               std::holds_alternative<std::string& (*)(Job&)>(key.target) ||
                               key.name == "seed";
        EXPECT_TRUE(key.maximum || any_value) << key.path();
    }
}

TEST(JobKeys, DefaultsReadBackAsThemselves) {
    for (const JobKey& key : job_keys()) {
        Job job;
        const std::string text = value_text(key, job);
        if (text == "(none)") continue;
        const toml::table parsed = toml::parse("value = " + text);
        EXPECT_EQ(set_value(key, *parsed.get("value"), job), std::nullopt) << key.path();
        EXPECT_EQ(value_text(key, job), text) << key.path();
    }
}

TEST(JobKeys, TheReportShowsEveryKey) {
    const nlohmann::json job = to_json(Job{});
    for (const JobKey& key : job_keys()) {
        EXPECT_TRUE(job.at(std::string(key.section)).contains(std::string(key.name))) << key.path();
    }
    EXPECT_TRUE(job.at("jitter").at("comm_cv").is_null());
    EXPECT_EQ(job.at("schedule").at("limit"), 32);
}

TEST(JobKeys, TheDocumentationIsUpToDate) {
    std::ifstream file(JOB_FILE_DOCUMENT);
    ASSERT_TRUE(file) << JOB_FILE_DOCUMENT;
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_THAT(text.str(), ::testing::HasSubstr(job_keys_markdown()))
        << "paste the output of `rrfp job-keys` into docs/job-file.md";
}

}  // namespace
}  // namespace rrfp
