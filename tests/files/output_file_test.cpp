// Guards: a file is replaced whole and nothing is left beside it; places that cannot be written are
// found before anything is done.

#include "adapters/files/output_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/support/scratch_folder.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

class OutputFile : public ::testing::Test {
  protected:
    std::string at(const char* name) const { return (folder_ / name).string(); }
    static std::string read(const std::string& path) {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }
    long entries() const { return std::distance(fs::directory_iterator(folder_), {}); }

    testing::ScratchFolder scratch_;
    const fs::path& folder_ = scratch_.path();
};

TEST_F(OutputFile, ReplacesTheWholeFile) {
    write_output(at("a"), "a long first content");
    write_output(at("a"), "second");
    EXPECT_EQ(read(at("a")), "second");
    EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, FollowsALinkAndKeepsIt) {
    write_output(at("a"), "first");
    fs::create_symlink("a", at("link"));
    write_output(at("link"), "second");
    EXPECT_TRUE(fs::is_symlink(at("link")));
    EXPECT_EQ(read(at("a")), "second");
}

TEST_F(OutputFile, WritesToWhatIsNoFile) {
    write_output("/dev/null", "nothing");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFile, TellsWhatCannotBeWritten) {
    write_output(at("file"), "");
    EXPECT_EQ(why_not_writable_file(at("new")), std::nullopt);
    EXPECT_EQ(why_not_writable_folder(at("new/folder")), std::nullopt);
    EXPECT_THAT(*why_not_writable_file(at("missing/new")), ::testing::HasSubstr("No such file"));
    EXPECT_THAT(*why_not_writable_file(at("file/new")), ::testing::HasSubstr("Not a directory"));
    EXPECT_THAT(*why_not_writable_file(folder_), ::testing::HasSubstr("is a folder"));
    EXPECT_TRUE(why_not_writable_file("/proc/new").has_value());
    EXPECT_TRUE(why_not_writable_folder(at("file/folder")).has_value());
    EXPECT_TRUE(why_not_writable_folder("/proc/new").has_value());
    EXPECT_THROW(write_output(at("missing/new"), ""), std::runtime_error);
    EXPECT_EQ(entries(), 2);  // the file and the folder: no probe stays behind
}

}  // namespace
}  // namespace rrfp
