// A checkpoint is the one its manifest names, whole: whatever a save cut short leaves behind, the
// one before stays in force, and a job never continues from one that is not its own.
#include "adapters/jobs/training/checkpoint.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/files/durable_file.h"
#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A file of the safetensors format with one tensor, whose bytes are `content`.
std::string tensor_file(const std::string& content) {
    const std::string header = "{\"t\":{\"dtype\":\"U8\",\"shape\":[" +
                               std::to_string(content.size()) + "],\"data_offsets\":[0," +
                               std::to_string(content.size()) + "]}}";
    return std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header +
           content;
}

class CheckpointTest : public ::testing::Test {
  protected:
    testing::ScratchFolder scratch_;

    void SetUp() override {
        job_.output.checkpoint = scratch_.file("checkpoint");
        job_.output.resume = true;
        job_.parallel.pipeline = 2;
    }

    /// What the ranks do before one commits.
    void write_files(int iteration, const std::string& content) {
        for (int rank = 0; rank < job_.parallel.pipeline; ++rank) {
            write_durably(checkpoint_file(job_.output.checkpoint, iteration, rank),
                          tensor_file(content));
        }
    }
    void save(int iteration, const std::string& content) {
        write_files(iteration, content);
        commit_checkpoint(job_, iteration);
    }
    std::string content(int rank) const {
        const auto found = find_checkpoint(job_.output.checkpoint);
        if (!found) return "none";
        std::ifstream file(found->file(rank));
        const std::string text(std::istreambuf_iterator<char>(file), {});
        return text.substr(text.rfind('}') + 1);
    }
    std::string refusal() const {
        try {
            check_checkpoint(job_);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "accepted";
    }
    int folders() const {
        return static_cast<int>(std::distance(fs::directory_iterator(job_.output.checkpoint), {}));
    }

    Job job_;
};

TEST_F(CheckpointTest, NoneIsFoundBeforeTheFirstCommit) {
    EXPECT_FALSE(find_checkpoint(job_.output.checkpoint));
    write_files(3, "half");
    EXPECT_FALSE(find_checkpoint(job_.output.checkpoint));
    EXPECT_FALSE(check_checkpoint(job_));
}

TEST_F(CheckpointTest, TheLastCommitIsFoundAndTheOneBeforeIsRemoved) {
    save(3, "three");
    save(6, "six");
    const auto found = check_checkpoint(job_);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->iteration, 6u);
    EXPECT_EQ(found->ranks, 2);
    EXPECT_EQ(content(0), "six");
    EXPECT_EQ(content(1), "six");
    EXPECT_EQ(folders(), 2);  // the manifest and one folder
}

TEST_F(CheckpointTest, ASaveCutShortLeavesTheOneBeforeInForce) {
    save(3, "three");
    write_files(6, "six");  // and the job is killed before it commits
    EXPECT_EQ(find_checkpoint(job_.output.checkpoint)->iteration, 3u);
    EXPECT_EQ(content(1), "three");
}

TEST_F(CheckpointTest, ALaterIterationOfAnEarlierRunIsNotTakenForTheNewest) {
    save(9, "old run");
    save(3, "new run");
    EXPECT_EQ(content(0), "new run");
}

TEST_F(CheckpointTest, SavingAnIterationAgainNeverTouchesTheOneInForce) {
    save(3, "first");
    write_files(3, "second");
    EXPECT_EQ(content(0), "first");
    commit_checkpoint(job_, 3);
    EXPECT_EQ(content(0), "second");
    save(3, "third");
    EXPECT_EQ(content(1), "third");
    EXPECT_EQ(folders(), 2);
}

TEST_F(CheckpointTest, ACommitWithoutEveryRanksFileIsRefusedAndTheOneBeforeStays) {
    save(3, "three");
    write_durably(checkpoint_file(job_.output.checkpoint, 6, 0), "six");
    EXPECT_THROW(commit_checkpoint(job_, 6), std::runtime_error);
    EXPECT_EQ(content(0), "three");
}

TEST_F(CheckpointTest, AnotherModelIsRefusedNamingBoth) {
    save(3, "three");
    job_.model.layers = 12;
    EXPECT_THAT(refusal(), AllOf(HasSubstr("layers = 4"), HasSubstr("layers = 12"),
                                 HasSubstr(job_.output.checkpoint), HasSubstr("output.resume")));
    job_.output.resume = false;
    EXPECT_FALSE(check_checkpoint(job_));
}

TEST_F(CheckpointTest, R23AnotherNumberOfRanksIsRefusedNamingBoth) {
    save(3, "three");
    job_.parallel.pipeline = 4;
    EXPECT_THAT(refusal(), AllOf(HasSubstr("(pipeline = 2, data = 1, tensor = 1"),
                                 HasSubstr("(pipeline = 4")));
}

TEST_F(CheckpointTest, ACheckpointPastTheJobsEndIsRefused) {
    save(11, "eleven");
    EXPECT_THAT(refusal(), AllOf(HasSubstr("11 iterations"), HasSubstr("iterations = 10")));
}

TEST_F(CheckpointTest, ADamagedManifestOrAMissingFileIsRefused) {
    save(3, "three");
    const std::string file = find_checkpoint(job_.output.checkpoint)->file(1);
    fs::remove(file);
    EXPECT_THAT(refusal(), AllOf(HasSubstr(file + ": missing"), HasSubstr("rank 1 of 2"),
                                 HasSubstr("restore"), HasSubstr("start anew")));
    for (const char* manifest : {"", "{", "[]", "{\"format\": \"other\"}"}) {
        write_durably(job_.output.checkpoint + "/checkpoint.json", manifest);
        EXPECT_THAT(refusal(), AllOf(HasSubstr("checkpoint.json"), HasSubstr("manifest")));
    }
}

TEST_F(CheckpointTest, ADamagedRankFileIsRefusedBeforeTheStart) {
    save(3, "three");
    const std::string file = find_checkpoint(job_.output.checkpoint)->file(1);
    const std::string whole = tensor_file("three");
    const std::string no_header = std::string("\x03\0\0\0\0\0\0\0", 8) + "no!";
    const std::string no_tensors = std::string("\x05\0\0\0\0\0\0\0", 8) + "[1,2]";
    const std::string null_header = std::string("\x04\0\0\0\0\0\0\0", 8) + "null";
    for (const std::string& damaged :
         {std::string(), whole.substr(0, 5), whole.substr(0, 20), whole.substr(0, whole.size() - 1),
          whole + "x", std::string(64, '\xff'), no_header, no_tensors, null_header}) {
        write_durably(file, damaged);
        EXPECT_THAT(refusal(), AllOf(HasSubstr(file), HasSubstr("rank 1 of 2"),
                                     HasSubstr("restore"), HasSubstr("start anew")))
            << damaged.size() << " bytes";
    }
    write_durably(file, whole);
    EXPECT_EQ(refusal(), "accepted");
}

TEST_F(CheckpointTest, AnotherSeedIsRefusedNamingBoth) {
    job_.train.seed = 7;
    save(3, "three");
    job_.train.seed = 18446744073709551615u;
    EXPECT_THAT(refusal(), AllOf(HasSubstr("seed 7"), HasSubstr("seed = 18446744073709551615")));
}

TEST_F(CheckpointTest, AFolderThatCannotBeMadeIsNamed) {
    fs::create_directories(fs::path(job_.output.checkpoint).parent_path());
    std::ofstream(job_.output.checkpoint) << "a file where the folder should be";
    try {
        checkpoint_file(job_.output.checkpoint, 1, 0);
        FAIL() << "accepted";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr(job_.output.checkpoint));
    }
}

}  // namespace
}  // namespace rrfp
