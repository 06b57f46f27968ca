// A job never continues from a checkpoint that is not its own: another model, layout or training,
// files of other ranks, iterations or saves, damaged ones. Each is refused with what was expected,
// what was found and what to do.
#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/jobs/training/saved_checkpoint.h"

namespace rrfp::test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

using CheckpointCheck = SavedCheckpoint;

TEST_F(CheckpointCheck, another_model_is_refused_naming_both) {
    save(3, "three...");
    job_.model.layers = 12;
    EXPECT_THAT(refusal(), AllOf(HasSubstr("layers = 4"), HasSubstr("layers = 12"),
                                 HasSubstr(manifest()), HasSubstr("output.resume")));
    job_.output.resume = false;
    EXPECT_FALSE(check_checkpoint(job_));
}

TEST_F(CheckpointCheck, R23_another_number_of_ranks_is_refused_naming_both) {
    save(3, "three...");
    job_.parallel.pipeline = 4;
    EXPECT_THAT(refusal(), AllOf(HasSubstr("(pipeline = 2, data = 1, tensor = 1"),
                                 HasSubstr("(pipeline = 4")));
}

TEST_F(CheckpointCheck, one_past_the_jobs_end_is_refused) {
    save(11, "eleven..");
    EXPECT_THAT(refusal(), AllOf(HasSubstr("11 iterations"), HasSubstr("iterations = 10")));
}

// R65: what determines the training is what the checkpoint says, or a change is asked for.
TEST_F(CheckpointCheck, R65_a_key_that_determines_the_training_is_refused_naming_both_values) {
    job_.train.seed = 7;
    save(3, "three...");
    job_.train.seed = 18446744073709551615u;
    job_.train.microbatch_size = 5;
    EXPECT_THAT(refusal(), AllOf(HasSubstr("train.seed = 7, now 18446744073709551615"),
                                 HasSubstr("train.microbatch_size = 4, now 5"),
                                 HasSubstr(manifest()), HasSubstr("output.resume_changed = true")));
    job_.output.resume_changed = true;
    const auto accepted = check_checkpoint(job_);
    ASSERT_TRUE(accepted);
    EXPECT_THAT(warnings_of(*accepted, job_),
                ::testing::ElementsAre(HasSubstr("train.microbatch_size = 4, now 5"),
                                       HasSubstr("train.seed = 7")));
}

TEST_F(CheckpointCheck, R65_what_changes_only_the_rounding_is_accepted_and_told) {
    save(3, "three...");
    job_.parallel.threads = 2;
    job_.schedule.arbiter = "bf";
    job_.train.evaluate_every = 1;
    job_.output.checkpoint_every = 1;
    const auto accepted = check_checkpoint(job_);
    ASSERT_TRUE(accepted);
    EXPECT_THAT(warnings_of(*accepted, job_),
                ::testing::ElementsAre(HasSubstr("parallel.threads = 1, now 2")));
}

// B3: a rank's file is the one that this rank wrote for this very checkpoint.
class AnothersFile : public SavedCheckpoint {
  protected:
    void SetUp() override {
        SavedCheckpoint::SetUp();
        save(3, "three...");
    }
    auto names(int rank, const std::string& fault) const {
        return AllOf(HasSubstr(found().file(rank) + ": " + fault),
                     HasSubstr("the file of rank " + std::to_string(rank) + " of 2"),
                     HasSubstr("restore"), HasSubstr("start anew"));
    }
};

TEST_F(AnothersFile, B3_files_that_were_swapped_or_copied_are_refused) {
    const Checkpoint saved = found();
    fs::copy_file(saved.file(0), saved.file(1), fs::copy_options::overwrite_existing);
    EXPECT_THAT(refusal(), names(1, "is another's: expected rank 1 of 2, found 0 of 2"));
}

TEST_F(AnothersFile, B21_the_file_of_another_iteration_is_refused) {
    const Checkpoint later = begin(6, "six.....");
    fs::copy_file(later.file(1), found().file(1), fs::copy_options::overwrite_existing);
    EXPECT_THAT(refusal(), names(1, "is another's: expected iteration 3, found 6"));
}

TEST_F(AnothersFile, the_file_of_another_training_is_refused) {
    job_.train.clip_norm = 2;
    const Checkpoint other = begin(3, "other...");
    job_.train.clip_norm = 1;
    fs::copy_file(other.file(1), found().file(1), fs::copy_options::overwrite_existing);
    EXPECT_THAT(refusal(), names(1, "is another's: expected run"));
}

TEST_F(AnothersFile, one_that_is_missing_or_no_file_is_refused) {
    const std::string file = found().file(1);
    fs::remove(file);
    const auto missing = AllOf(HasSubstr(file + ": missing"), HasSubstr("start anew"));
    EXPECT_THAT(refusal(), missing);
    fs::create_directory(file);
    EXPECT_THAT(refusal(), missing);
}

TEST_F(AnothersFile, a_damaged_one_is_refused_before_the_start) {
    const std::string file = found().file(1);
    const std::string whole = read(file);
    const std::string no_header = std::string("\x03\0\0\0\0\0\0\0", 8) + "no!";
    const std::string no_tensors = std::string("\x05\0\0\0\0\0\0\0", 8) + "[1,2]";
    const std::string null_header = std::string("\x04\0\0\0\0\0\0\0", 8) + "null";
    for (const std::string& damaged :
         {std::string(), whole.substr(0, 5), whole.substr(0, 20), whole.substr(0, whole.size() - 1),
          whole + "x", std::string(64, '\xff'), no_header, no_tensors, null_header}) {
        write(file, damaged);
        EXPECT_THAT(refusal(), AllOf(HasSubstr(file), HasSubstr("rank 1 of 2"),
                                     HasSubstr("restore"), HasSubstr("start anew")))
            << damaged.size() << " bytes";
    }
    write(file, whole);
    EXPECT_EQ(refusal(), "accepted");
}

TEST_F(AnothersFile, one_of_another_size_is_refused) {
    const Checkpoint saved = found();
    std::string content = "more than eight.";
    const NamedTensor tensor{"t", {4}, std::as_writable_bytes(std::span(content))};
    write_tensor_file(saved.file(1), {&tensor, 1}, saved.notes(1));
    EXPECT_THAT(refusal(), names(1, "has "));
}

TEST_F(AnothersFile, a_checkpoint_of_format_2_is_read_with_a_warning) {
    const Checkpoint saved = found();
    for (int rank = 0; rank < 2; ++rank) {
        std::string content = "format 2";
        const NamedTensor tensor{"t", {2}, std::as_writable_bytes(std::span(content))};
        write_tensor_file(saved.file(rank), {&tensor, 1}, {{"iteration", "3"}});
    }
    write(manifest(), nlohmann::json{{"format", "rrfp checkpoint 2"},
                                     {"iteration", 3},
                                     {"ranks", 2},
                                     {"layout", saved.layout},
                                     {"seed", 0},
                                     {"model", saved.model},
                                     {"folder", "iteration-3"}}
                          .dump());
    const auto accepted = check_checkpoint(job_);
    ASSERT_TRUE(accepted);
    EXPECT_THAT(warnings_of(*accepted, job_),
                ::testing::ElementsAre(HasSubstr("neither can its files be verified")));
    job_.train.seed = 1;
    EXPECT_THAT(refusal(), HasSubstr("train.seed = 0, now 1"));
    job_.train.seed = 0;
    save(6, "six.....");
    EXPECT_TRUE(found().verifiable());
}

}  // namespace
}  // namespace rrfp::test
