// Guards: what is no regular file of a sane size is refused at once, with path and remedy; what is
// read is the file as it was when it was opened, or it is refused; a pipe is read once, to its end,
// or refused when nothing comes.

#include "runtime/system/regular_file.h"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "runtime/system/piped_file.h"
#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr FileKind kind{.remedy = "give another", .most_bytes = 100'000};

class RegularFileTest : public ::testing::Test {
  protected:
    std::string write(const char* name, const std::string& text) const {
        std::ofstream(at(name), std::ios::binary) << text;
        return at(name);
    }
    std::string at(const std::string& name) const { return scratch_.file(name); }
    static std::string refusal(const std::string& path) {
        try {
            read_file(path, kind);
        } catch (const FileFault& fault) {
            EXPECT_THAT(fault.what(), AllOf(StartsWith(path + ": "), EndsWith("; give another")));
            return fault.what();
        }
        return "accepted";
    }

    testing::ScratchFolder scratch_;
};

TEST_F(RegularFileTest, EveryByteIsRead) {
    std::string text(70'000, 'x');
    text[12] = '\0';
    EXPECT_EQ(read_file(write("text", text), kind), text);
    EXPECT_EQ(read_file(write("empty", ""), kind), "");
    fs::create_symlink("text", at("link"));
    EXPECT_EQ(read_file(at("link"), kind), text);
}

TEST_F(RegularFileTest, WhatIsNoFileIsRefusedAtOnce) {
    ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
    fs::create_symlink("loop", at("loop"));
    EXPECT_THAT(refusal(at("fifo")), HasSubstr("is a pipe"));
    EXPECT_THAT(refusal(scratch_.path()), HasSubstr("is a folder"));
    EXPECT_THAT(refusal("/dev/zero"), HasSubstr("is a device"));
    EXPECT_THAT(refusal(at("loop")), HasSubstr("Too many levels of symbolic links"));
    EXPECT_THAT(refusal(at("missing")), HasSubstr("No such file"));
    EXPECT_THAT(refusal(at(std::string(300, 'n'))), HasSubstr("File name too long"));
    EXPECT_THAT(refusal(write("file", "") + "/below"), HasSubstr("Not a directory"));
}

TEST_F(RegularFileTest, AFileWithoutASizeIsNotFollowed) {
    // Regular by its mode, and endless or blocking when it is read.
    EXPECT_EQ(read_file("/proc/self/mountinfo", kind), "");
}

TEST_F(RegularFileTest, ALargerFileThanItsKindIsRefusedUnread) {
    fs::resize_file(write("sparse", "x"), std::uintmax_t{1} << 40);
    EXPECT_THAT(refusal(at("sparse")), HasSubstr("1099511627776 bytes, more than the 100000"));
}

TEST_F(RegularFileTest, AFileThatChangesMeanwhileIsRefused) {
    const RegularFile shrinking(write("shrinking", std::string(1000, 'x')), kind);
    fs::resize_file(at("shrinking"), 10);
    EXPECT_THROW(shrinking.content(), FileFault);
    const RegularFile growing(write("growing", std::string(1000, 'x')), kind);
    fs::resize_file(at("growing"), 2000);
    EXPECT_THROW(growing.content(), FileFault);
}

TEST_F(RegularFileTest, APipeIsReadToItsEnd) {
    ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
    const std::string text(90'000, 'y');  // more than a pipe holds
    std::thread writer([&] { std::ofstream(at("fifo")) << text; });
    const PipedText read = read_file_or_pipe(at("fifo"), kind);
    writer.join();
    EXPECT_EQ(read.text, text);
    EXPECT_TRUE(read.from_pipe);
    EXPECT_FALSE(read_file_or_pipe(write("file", "text"), kind).from_pipe);
}

TEST_F(RegularFileTest, APipeThatNobodyWritesToIsRefused) {
    ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
    try {
        read_file_or_pipe(at("fifo"), kind, 50);
        FAIL() << "accepted";
    } catch (const FileFault& fault) {
        EXPECT_THAT(fault.what(), AllOf(HasSubstr("nothing has come"), HasSubstr("0.05 s")));
    }
}

TEST_F(RegularFileTest, APipeWithoutEndIsRefused) {
    ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
    std::thread writer([&] {
        const int file = open(at("fifo").c_str(), O_WRONLY);
        signal(SIGPIPE, SIG_IGN);
        const std::string text(10'000, 'z');
        while (::write(file, text.data(), text.size()) > 0) {
        }
        close(file);
    });
    EXPECT_THROW(read_file_or_pipe(at("fifo"), kind), FileFault);
    writer.join();
}

}  // namespace
}  // namespace rrfp
