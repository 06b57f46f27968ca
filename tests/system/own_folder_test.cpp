// Invariant: a process that is killed leaves a folder that the next one removes, and nothing else
// is ever removed: no folder in use, none of another name, no link, none that others can enter.
#include "runtime/system/own_folder.h"

#include <filesystem>
#include <fstream>
#include <signal.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ScratchFolder;

/// The folder of a child that was killed while it used it.
std::string killed_in(const std::string& parent) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        const OwnFolder folder({parent});
        std::ofstream(folder.path() + "/file") << "held";
        const auto size = folder.path().size();
        _exit(write(ends[1], folder.path().data(), size) == static_cast<ssize_t>(size) &&
                      kill(getpid(), SIGKILL) == 0
                  ? 0
                  : 1);
    }
    close(ends[1]);
    std::string path(4096, '\0');
    path.resize(static_cast<std::size_t>(read(ends[0], path.data(), path.size())));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return path;
}

TEST(OwnFolder, IsPrivateAndGoesWithAllItHolds) {
    const ScratchFolder parent;
    std::string path;
    {
        const OwnFolder folder({parent.path()});
        path = folder.path();
        fs::create_directories(path + "/a/b");
        EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
        EXPECT_THAT(dead_own_folders(parent.path()), IsEmpty());
        EXPECT_THAT(remove_dead_own_folders(parent.path()), IsEmpty());
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(OwnFolder, OfAKilledProcessIsFoundAndRemoved) {
    const ScratchFolder parent;
    const OwnFolder living({parent.path()});
    const std::string dead = killed_in(parent.path());
    EXPECT_THAT(dead_own_folders(parent.path()), ElementsAre(dead));
    EXPECT_THAT(remove_dead_own_folders(parent.path()), ElementsAre(dead));
    EXPECT_FALSE(fs::exists(dead));
    EXPECT_TRUE(fs::exists(living.path()));
}

TEST(OwnFolder, IsInUseWhileAChildLives) {
    const ScratchFolder parent;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t owner = fork();
    if (owner == 0) {
        const OwnFolder folder({parent.path()});
        close(ends[1]);
        char byte = 0;
        if (fork() == 0) _exit(read(ends[0], &byte, 1) < 0 ? 1 : 0);  // lives until we close
        kill(getpid(), SIGKILL);
    }
    waitpid(owner, nullptr, 0);
    EXPECT_THAT(remove_dead_own_folders(parent.path()), IsEmpty());
    close(ends[0]);
    close(ends[1]);
}

TEST(OwnFolder, NothingElseIsRemoved) {
    const ScratchFolder parent;
    const ScratchFolder elsewhere;
    const std::string dead = killed_in(elsewhere.path());
    fs::create_directory_symlink(dead, parent.file("rrfp-run-linked"));
    fs::create_directory(parent.file("rrfp-run-"));
    fs::create_directory(parent.file("rrfp-run-longer1"));
    std::ofstream(parent.file("rrfp-run-afile1")) << "a file";
    fs::copy(dead, parent.file("rrfp-run-opened"), fs::copy_options::recursive);
    fs::permissions(parent.file("rrfp-run-opened"), fs::perms::all);
    EXPECT_THAT(dead_own_folders(parent.path()), IsEmpty());
    EXPECT_THAT(remove_dead_own_folders(parent.path()), IsEmpty());
    EXPECT_TRUE(fs::exists(dead + "/file"));
    EXPECT_TRUE(fs::exists(parent.file("rrfp-run-opened") + "/file"));
}

TEST(OwnFolder, TakesTheNextPlaceAndNamesAllThatFailed) {
    const ScratchFolder parent;
    const OwnFolder folder({"/proc", parent.path()});
    EXPECT_EQ(fs::path(folder.path()).parent_path(), parent.path());
    try {
        const OwnFolder none({"/proc", parent.file("nowhere")});
        FAIL() << none.path();
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("/proc: no folder can be made there"));
        EXPECT_THAT(error.what(), ::testing::HasSubstr("nowhere"));
        EXPECT_THAT(error.what(), ::testing::HasSubstr("TMPDIR"));
    }
}

}  // namespace
}  // namespace rrfp
