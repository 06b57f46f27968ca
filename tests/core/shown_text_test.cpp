// Guards: what a message quotes is one line, bounded, and shows both ends; many messages are
// bounded, too.

#include "runtime/core/shown_text.h"

#include <gmock/gmock.h>

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ShownText, ShortTextsStayAsTheyAre) {
    EXPECT_EQ(shown(""), "");
    EXPECT_EQ(shown("a = 1"), "a = 1");
    EXPECT_EQ(shown(std::string(most_shown, 'x')), std::string(most_shown, 'x'));
}

TEST(ShownText, ControlCharactersDoNothing) { EXPECT_EQ(shown("a\n\x1b[31mb\x7f"), "a  [31mb "); }

TEST(ShownText, LongTextsShowBothEnds) {
    const std::string text = "begin" + std::string(1'000'000, 'x') + "end";
    EXPECT_THAT(shown(text), AllOf(StartsWith("beginxx"), EndsWith("xxend"),
                                   HasSubstr("(999768 bytes left out)")));
    EXPECT_LT(shown(text).size(), most_shown + 40);
}

TEST(ShownText, CharactersAreNotCut) {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "\u00e9";
    for (std::size_t most = 20; most < 30; ++most) {
        const std::string cut = shown(text, most);
        int bytes = 0;  // of characters that are not ASCII: two each
        for (const char c : cut) bytes += static_cast<unsigned char>(c) >= 0x80 ? 1 : 0;
        EXPECT_EQ(bytes % 2, 0) << most;
        EXPECT_THAT(cut, StartsWith("\u00e9"));
        EXPECT_THAT(cut, EndsWith("\u00e9"));
    }
}

TEST(ShownText, OfManyMessagesTheFirstAreTold) {
    const std::vector<std::string> messages(1000, std::string(100'000, 'm'));
    const std::vector<std::string> told = shown(messages);
    ASSERT_EQ(told.size(), most_messages + 1);
    EXPECT_EQ(told.back(), "and 980 more; mend the first ones and look again");
    for (const std::string& message : told) EXPECT_LT(message.size(), 11 * most_shown);
    EXPECT_EQ(shown(std::vector<std::string>(3, "m")).size(), 3u);
}

}  // namespace
}  // namespace rrfp
