// A checkpoint is the one its manifest names, whole: whatever a save cut short leaves behind, the
// one before stays in force; and a save removes nothing but what saves have written.
#include <filesystem>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>

#include "adapters/files/durable_file.h"
#include "tests/jobs/training/saved_checkpoint.h"

namespace rrfp::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class CheckpointSave : public SavedCheckpoint {
  protected:
    /// What lies below the checkpoints' folder.
    std::set<std::string> everything() const {
        std::set<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(folder())) {
            names.insert(fs::relative(entry.path(), folder()));
        }
        return names;
    }
    static auto one(const std::string& name) {
        return UnorderedElementsAre("checkpoint.json", name, name + "/rank-0.safetensors",
                                    name + "/rank-1.safetensors");
    }
};

TEST_F(CheckpointSave, none_is_there_before_the_first_commit) {
    EXPECT_FALSE(current_checkpoint(folder()));
    begin(3, "half....");
    EXPECT_FALSE(current_checkpoint(folder()));
    EXPECT_FALSE(check_checkpoint(job_));
}

TEST_F(CheckpointSave, the_last_commit_is_in_force_and_the_one_before_is_removed) {
    save(3, "three...");
    save(6, "six.....");
    const auto checked = check_checkpoint(job_);
    ASSERT_TRUE(checked);
    EXPECT_EQ(checked->iteration, 6u);
    EXPECT_EQ(checked->ranks, 2);
    EXPECT_EQ(content(0), "six.....");
    EXPECT_EQ(content(1), "six.....");
    EXPECT_THAT(everything(), one("iteration-6"));
}

TEST_F(CheckpointSave, one_that_was_cut_short_leaves_the_one_before_and_goes_with_the_next) {
    save(3, "three...");
    begin(6, "six.....");  // and the job is killed before it commits
    EXPECT_EQ(found().iteration, 3u);
    EXPECT_EQ(content(1), "three...");
    save(6, "again...");
    EXPECT_EQ(content(1), "again...");
    EXPECT_THAT(everything(), one("iteration-6-2"));
}

TEST_F(CheckpointSave, a_removal_that_was_cut_short_is_finished_by_the_next) {
    save(3, "three...");
    const std::string old = found().folder;
    save(6, "six.....");
    fs::create_directory(old);  // as a crash would have left it
    write(old + "/removable", "");
    write(old + "/rank-1.safetensors", "x");
    write(old + "/rank-1.safetensors.part", "x");
    write(old + "/.rrfp-0123456789abcdef", "x");
    save(9, "nine....");
    EXPECT_THAT(everything(), one("iteration-9"));
}

TEST_F(CheckpointSave, a_later_iteration_of_an_earlier_run_is_not_taken_for_the_newest) {
    save(9, "old run.");
    save(3, "new run.");
    EXPECT_EQ(content(0), "new run.");
    EXPECT_THAT(everything(), one("iteration-3"));
}

TEST_F(CheckpointSave, saving_an_iteration_again_never_touches_the_one_in_force) {
    save(3, "first...");
    const Checkpoint next = begin(3, "second..");
    EXPECT_EQ(content(0), "first...");
    commit_save(job_, 3, next.folder, next.files);
    EXPECT_EQ(content(0), "second..");
    save(3, "third...");
    EXPECT_EQ(content(1), "third...");
    EXPECT_THAT(everything(), one("iteration-3"));
}

TEST_F(CheckpointSave, a_commit_without_every_ranks_file_is_refused_and_the_one_before_stays) {
    save(3, "three...");
    Checkpoint next = begin(6, "six.....");
    fs::remove(next.file(1));
    EXPECT_THROW(commit_save(job_, 6, next.folder, next.files), std::runtime_error);
    EXPECT_EQ(content(0), "three...");
    next = begin(6, "six.....");
    fs::resize_file(next.file(1), 9);
    EXPECT_THROW(commit_save(job_, 6, next.folder, next.files), std::runtime_error);
    EXPECT_EQ(content(0), "three...");
}

// 1.2: whatever the user keeps in the folder, by whatever name, is there after every save.
TEST_F(CheckpointSave, what_others_keep_there_stays) {
    save(3, "three...");
    const std::set<std::string> theirs = {"iteration-notes.txt",
                                          "iteration-3-backup/rank-0.safetensors",
                                          "iteration-6/rank-0.safetensors",
                                          "iteration-7/notes.txt",
                                          "iteration-8/removable",
                                          "iteration-8/rank-0.safetensors/kept",
                                          "iteration-8/rank-x.safetensors",
                                          "iteration-8/rank-1.safetensors.old",
                                          "iteration-8/.rrfp-notes",
                                          "iteration-3/notes.txt",
                                          "elsewhere/rank-0.safetensors"};
    for (const std::string& name : theirs) {
        fs::create_directories((fs::path(folder()) / name).parent_path());
        write(fs::path(folder()) / name, "theirs");
    }
    write(folder() + "/elsewhere/removable", "theirs");
    fs::create_directory_symlink("elsewhere", folder() + "/iteration-9");
    write(folder() + "/iteration-10", "a file");
    for (const int iteration : {6, 7, 9, 10, 11}) save(iteration, "next....");
    EXPECT_EQ(content(1), "next....");
    for (const std::string& name : theirs) {
        // The mark says that the folder is ours to remove; whatever else lies in it does not go.
        if (name == "iteration-8/removable") continue;
        EXPECT_EQ(read(fs::path(folder()) / name), "theirs") << name;
    }
    EXPECT_TRUE(fs::is_symlink(folder() + "/iteration-9"));
    EXPECT_EQ(read(folder() + "/elsewhere/removable"), "theirs");
    EXPECT_EQ(read(folder() + "/iteration-10"), "a file");
    EXPECT_FALSE(fs::exists(folder() + "/iteration-3/rank-0.safetensors"));
}

// B6: who starts anew does not replace what is there.
TEST_F(CheckpointSave, B6_a_job_that_starts_anew_is_refused_where_one_is_there) {
    job_.output.resume = false;
    EXPECT_NO_THROW(require_nothing_replaced(job_));
    save(3, "three...");
    try {
        require_nothing_replaced(job_);
        FAIL() << "accepted";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("a checkpoint of 3 iterations"));
        EXPECT_THAT(error.what(), HasSubstr("output.resume = true"));
    }
    write(manifest(), "of another program");
    EXPECT_THROW(require_nothing_replaced(job_), std::runtime_error);
    job_.output.resume = true;
    EXPECT_NO_THROW(require_nothing_replaced(job_));
}

TEST_F(CheckpointSave, a_folder_that_cannot_be_made_is_named) {
    write(folder(), "a file where the folder should be");
    try {
        begin_save(folder(), 1);
        FAIL() << "accepted";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr(folder()));
    }
}

}  // namespace
}  // namespace rrfp::test
