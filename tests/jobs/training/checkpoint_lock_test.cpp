// B9: one job at a time keeps its checkpoints in a folder; the lock goes with its holder, however
// that ends, and a refusal says who holds it.
#include "adapters/jobs/training/checkpoint_lock.h"

#include <csignal>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(const std::string& folder, double seconds = 0) {
    try {
        const CheckpointLock lock(folder, seconds);
        return lock.notice();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

TEST(CheckpointLock, B9_a_second_job_is_refused_naming_the_first) {
    const testing::ScratchFolder folder;
    {
        const CheckpointLock held(folder.path());
        EXPECT_THAT(refusal(folder.path()),
                    AllOf(HasSubstr(folder.path()), HasSubstr("pid " + std::to_string(getpid())),
                          HasSubstr("another output.checkpoint")));
    }
    EXPECT_EQ(refusal(folder.path()), "");
}

TEST(CheckpointLock, B9_a_holder_that_is_killed_leaves_no_lock) {
    const testing::ScratchFolder folder;
    std::array<int, 2> locked{};
    ASSERT_EQ(pipe(locked.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        const CheckpointLock held(folder.path());
        if (write(locked[1], "x", 1) == 1) pause();
        _exit(1);
    }
    char byte = 0;
    ASSERT_EQ(read(locked[0], &byte, 1), 1);
    EXPECT_THAT(refusal(folder.path()), HasSubstr("pid " + std::to_string(child)));
    kill(child, SIGKILL);
    EXPECT_EQ(refusal(folder.path(), 10), "");  // waits for an end that is under way
    waitpid(child, nullptr, 0);
    close(locked[0]);
    close(locked[1]);
}

TEST(CheckpointLock, a_folder_where_no_file_can_be_opened_is_named) {
    const testing::ScratchFolder folder;
    std::filesystem::create_directory(folder.path() / "checkpoint.lock");
    EXPECT_THAT(refusal(folder.path()), AllOf(HasSubstr("checkpoint.lock"), HasSubstr("opened")));
}

}  // namespace
}  // namespace rrfp
