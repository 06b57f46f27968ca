// A manifest is read as it was written or refused, by its name and soon, whatever it holds: no
// number, place or text of it leads anywhere but to the files of one checkpoint.
#include "adapters/jobs/training/manifest.h"

#include <chrono>
#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/jobs/training/saved_checkpoint.h"

namespace rrfp::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Manifest : public SavedCheckpoint {
  protected:
    void SetUp() override {
        SavedCheckpoint::SetUp();
        save(3, "three...");
        whole_ = read(manifest());
    }
    /// What is said of the manifest once `change` has been made to it.
    std::string refusal_of(const std::function<void(json&)>& change) const {
        json changed = json::parse(whole_);
        change(changed);
        write(manifest(), changed.dump());
        return refusal();
    }
    static auto says(const std::string& what) {
        return AllOf(HasSubstr("checkpoint.json: no manifest of a checkpoint: "), HasSubstr(what),
                     HasSubstr("another output.checkpoint"));
    }

    std::string whole_;
};

TEST_F(Manifest, comes_back_as_it_was_written) {
    const Checkpoint read = parse_manifest(whole_, folder());
    EXPECT_EQ(manifest_text(read), whole_);
    EXPECT_EQ(read.facts, facts_of(job_));
    EXPECT_EQ(refusal(), "accepted");
}

TEST_F(Manifest, a_text_that_is_none_is_refused) {
    const std::string deep(1'000'000, '[');
    const std::string deep_format = "{\"format\":" + deep;
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("[]"),
          std::string("{\"format\": \"other\"}"), std::string("\0\xff", 2), deep, deep_format,
          whole_.substr(0, whole_.size() / 2)}) {
        write(manifest(), text);
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_THAT(refusal(), says("")) << text.substr(0, 80);
        EXPECT_LT(refusal().size(), 1000u);
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
    }
}

TEST_F(Manifest, R65_a_member_that_is_missing_or_of_another_type_is_refused_by_name) {
    const json whole = json::parse(whole_);
    for (const auto& [name, value] : whole.items()) {
        const std::string key = name;
        EXPECT_THAT(refusal_of([&](json& manifest) { manifest.erase(key); }), says("no " + key));
        for (const json& other : {json(), json(true), json(1.5), json::array({json::array()})}) {
            EXPECT_THAT(refusal_of([&](json& manifest) { manifest[key] = other; }), says(""))
                << key << " = " << other;
        }
    }
    for (const auto& [key, value] : facts_of(job_)) {
        const std::string name = key;
        EXPECT_THAT(refusal_of([&](json& manifest) { manifest["trained_with"].erase(name); }),
                    says("it does not say what " + name + " was"));
    }
}

TEST_F(Manifest, numbers_out_of_range_are_refused) {
    for (const json& number : {json(-1), json(1e300), json(18446744073709551615u), json("3")}) {
        EXPECT_THAT(refusal_of([&](json& manifest) { manifest["iteration"] = number; }),
                    says("iteration"))
            << number;
        EXPECT_THAT(refusal_of([&](json& manifest) { manifest["files"][1]["bytes"] = number; }),
                    says("bytes"))
            << number;
    }
    for (const json& ranks : {json(-1), json(0), json(1e10), json(4294967298u)}) {
        EXPECT_THAT(refusal_of([&](json& manifest) {
                        manifest["format"] = "rrfp checkpoint 2";
                        manifest["seed"] = 0;
                        manifest["ranks"] = ranks;
                    }),
                    says("ranks"))
            << ranks;
    }
    EXPECT_THAT(refusal_of([](json& manifest) {
                    manifest["format"] = "rrfp checkpoint 2";
                    manifest["seed"] = 0;
                    manifest["ranks"] = 2147483647;
                }),
                HasSubstr("2147483647 ranks"));
}

TEST_F(Manifest, files_that_are_not_one_a_rank_are_refused) {
    EXPECT_THAT(refusal_of([](json& manifest) { manifest["files"].erase(1); }),
                HasSubstr("the files of 1 ranks"));
    EXPECT_THAT(refusal_of([](json& manifest) { manifest["files"] = json::array(); }),
                says("files"));
    EXPECT_THAT(refusal_of([](json& manifest) { manifest["files"][1]["rank"] = 0; }), says("rank"));
    EXPECT_THAT(refusal_of([](json& manifest) { manifest["files"][1]["iteration"] = 6; }),
                says("iteration"));
    EXPECT_THAT(refusal_of([](json& manifest) { manifest["files"][1]["sha256"] = "abc"; }),
                says("sha256"));
}

TEST_F(Manifest, a_folder_elsewhere_is_refused) {
    for (const char* name : {"", ".", "..", "../iteration-3", "/tmp/iteration-3", "iteration-3/..",
                             "iteration-", "iteration-x", "iteration-3-", "notes"}) {
        EXPECT_THAT(refusal_of([&](json& manifest) { manifest["folder"] = name; }), says("folder"))
            << name;
    }
    EXPECT_TRUE(is_save_name("iteration-12-again"));
    EXPECT_TRUE(is_save_name("iteration-12-3"));
}

TEST_F(Manifest, facts_that_were_edited_are_refused) {
    EXPECT_THAT(refusal_of([](json& manifest) { manifest["trained_with"]["train.beta1"] = "0.5"; }),
                says("one of them was changed"));
}

TEST_F(Manifest, one_that_is_no_regular_file_or_too_large_is_refused) {
    std::filesystem::remove(manifest());
    std::filesystem::create_directory(manifest());
    EXPECT_THAT(refusal(), says("is a folder"));
    std::filesystem::remove(manifest());
    write(manifest(), "");
    std::filesystem::resize_file(manifest(), std::uintmax_t{1} << 40);
    EXPECT_THAT(refusal(), says("more than"));
}

}  // namespace
}  // namespace rrfp::test
