// Guards: a file is written beside its target under a name that nobody can foresee, so that no link
// planted there leads it elsewhere, no file of the user is lost, and two writers never share one.

#include "adapters/files/new_file.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "adapters/files/durable_file.h"
#include "adapters/files/output_file.h"
#include "runtime/system/regular_file.h"
#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

class NewFileTest : public ::testing::Test {
  protected:
    std::string at(const std::string& name) const { return scratch_.file(name); }
    std::string read(const std::string& name) const { return read_file(at(name), {.remedy = ""}); }
    long entries() const { return std::distance(fs::directory_iterator(scratch_.path()), {}); }

    testing::ScratchFolder scratch_;
};

TEST_F(NewFileTest, FilesBesideTheTargetAreLeftAlone) {
    std::ofstream(at("report.part")) << "mine";
    std::ofstream(at("secret")) << "secret";
    fs::create_symlink("secret", at("plan.part"));
    write_output(at("report"), "new");
    write_output(at("plan"), "new");
    EXPECT_EQ(read("report.part"), "mine");
    EXPECT_EQ(read("secret"), "secret");
    EXPECT_TRUE(fs::is_symlink(at("plan.part")));
    EXPECT_EQ(entries(), 5);
}

TEST_F(NewFileTest, WhatDoesNotTakeThePlaceIsRemoved) {
    { const NewFile unused(at("file")); }
    EXPECT_EQ(entries(), 0);
}

TEST_F(NewFileTest, AWriteThatFailsLeavesTheOldFileAndNoOther) {
    write_durably(at("taken"), "old");
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = before;
    small.rlim_cur = 1000;  // like a disk that is full
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(write_durably(at("taken"), std::string(10'000, 'n')), std::runtime_error);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(read("taken"), "old");
    EXPECT_EQ(entries(), 1);
}

TEST_F(NewFileTest, OfManyWritersEachIsWhole) {
    std::vector<std::thread> writers;
    for (int writer = 0; writer < 8; ++writer) {
        writers.emplace_back([&, writer] {
            for (int i = 0; i < 10; ++i) {
                write_durably(at("file"), std::string(10'000, static_cast<char>('a' + writer)));
            }
        });
    }
    for (std::thread& writer : writers) writer.join();
    const std::string text = read("file");
    EXPECT_EQ(text, std::string(10'000, text.front()));
    EXPECT_EQ(entries(), 1);
}

TEST_F(NewFileTest, ANameAsLongAsFileSystemsTakeIsWritten) {
    const std::string longest(255, 'n');
    EXPECT_EQ(why_not_writable_file(at(longest)), std::nullopt);
    write_output(at(longest), "text");
    EXPECT_EQ(read(longest), "text");
    EXPECT_THAT(*why_not_writable_file(at(longest + "n")), ::testing::HasSubstr("name too long"));
}

TEST_F(NewFileTest, ALinkThatLeadsNowhereYetIsFollowed) {
    fs::create_symlink("there", at("link"));
    EXPECT_EQ(why_not_writable_file(at("link")), std::nullopt);
    write_output(at("link"), "text");
    EXPECT_TRUE(fs::is_symlink(at("link")));
    EXPECT_EQ(read("there"), "text");
    fs::create_symlink("loop", at("loop"));
    EXPECT_NE(why_not_writable_file(at("loop")), std::nullopt);
}

}  // namespace
}  // namespace rrfp
