// However a table is typed, its lines and cells are the same: line ends of either kind, a byte
// order mark, blanks around a cell. Nothing but these is dropped, so that line numbers stay true.
#include "runtime/core/text_lines.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TextLines, R19EitherLineEndAndAMarkGiveTheSameLines) {
    for (const std::string text : {"a,b\nc", "a,b\nc\n", "a,b\r\nc\r\n", "a,b\nc\r\n", "a,b\r\nc",
                                   "\xEF\xBB\xBF"
                                   "a,b\nc\n"}) {
        EXPECT_THAT(lines_of(text), ElementsAre("a,b", "c")) << text;
    }
}

TEST(TextLines, EmptyLinesCountButTheLastLineEndBeginsNone) {
    EXPECT_THAT(lines_of(""), IsEmpty());
    EXPECT_THAT(lines_of("\xEF\xBB\xBF"), IsEmpty());
    EXPECT_THAT(lines_of("\n"), ElementsAre(""));
    EXPECT_THAT(lines_of("\r\n"), ElementsAre(""));
    EXPECT_THAT(lines_of("\n\na\n\n"), ElementsAre("", "", "a", ""));
    EXPECT_THAT(lines_of("a\n "), ElementsAre("a", " "));
}

TEST(TextLines, AMarkElsewhereAndBytesOfAnyKindStay) {
    EXPECT_THAT(lines_of("a\n\xEF\xBB\xBF"), ElementsAre("a", "\xEF\xBB\xBF"));
    EXPECT_THAT(lines_of("\xEF\xBB"), ElementsAre("\xEF\xBB"));
    EXPECT_THAT(lines_of("a\rb\r\r\n"), ElementsAre("a\rb\r"));
    EXPECT_THAT(lines_of(std::string(3, '\0')), ElementsAre(std::string(3, '\0')));
}

TEST(TextLines, PartsAreOneMoreThanSeparators) {
    EXPECT_THAT(parts_of("", ','), ElementsAre(""));
    EXPECT_THAT(parts_of("a", ','), ElementsAre("a"));
    EXPECT_THAT(parts_of("a,b;c", ','), ElementsAre("a", "b;c"));
    EXPECT_THAT(parts_of(",a,,", ','), ElementsAre("", "a", "", ""));
}

TEST(TextLines, BlanksGoAtTheEndsOnly) {
    EXPECT_EQ(trimmed(" \t a b\t\r"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed(" \t\r "), "");
    EXPECT_EQ(trimmed(""), "");
    EXPECT_EQ(trimmed("\na\v"), "\na\v");
}

}  // namespace
}  // namespace rrfp
