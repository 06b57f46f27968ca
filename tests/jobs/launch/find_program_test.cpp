// Invariant: a program is a file that may be executed: folders and other files of its name are
// passed over, as a shell does (case R33).
#include "adapters/jobs/launch/find_program.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

TEST(FindProgram, R33_passes_over_folders_and_files_that_do_not_run) {
    const testing::ScratchFolder scratch;
    const fs::path folder = scratch.path();
    for (const char* place : {"a", "b", "c"}) fs::create_directories(folder / place);
    fs::create_directories(folder / "a" / "launch");
    std::ofstream(folder / "b" / "launch") << "text";
    std::ofstream(folder / "c" / "launch") << "#!/bin/sh\n";
    fs::permissions(folder / "c" / "launch", fs::perms::owner_all);

    const std::string before = std::getenv("PATH");
    const auto path = [&](const char* place) { return (folder / place).string(); };
    setenv("PATH", (path("a") + ":" + path("b") + ":" + path("c")).c_str(), 1);
    EXPECT_EQ(find_program("launch"), path("c") + "/launch");
    setenv("PATH", (path("a") + ":" + path("b")).c_str(), 1);
    EXPECT_EQ(find_program("launch"), std::nullopt);
    setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace rrfp
