// Invariant: every byte that is no notice of the job's end is shown as it comes, in its order; a
// notice of the end is held back whole, however it is cut into reads, and never lost.
#include "adapters/jobs/launch/mpirun_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string rule = std::string(74, '-') + '\n';
const std::string killed =
    "mpirun noticed that process rank 2 with PID 4711 on node n1 exited on signal 9 (Killed).\n";
const std::string other = "WARNING: there was an error initializing an OpenFabrics device.\n";

struct Heard {
    std::string shown;
    std::vector<std::string> held;
};

Heard hear(const std::string& text, std::size_t part) {
    Heard heard;
    MpirunWords words([&](std::string_view bytes) { heard.shown += bytes; });
    for (std::size_t at = 0; at < text.size(); at += part) words.take(text.substr(at, part));
    words.finish();
    heard.held = words.held();
    return heard;
}

class MpirunWordsTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(MpirunWordsTest, holds_back_what_is_said_of_the_end) {
    const Heard heard = hear("one\n" + rule + killed + rule + "two\n", GetParam());
    EXPECT_EQ(heard.shown, "one\ntwo\n");
    EXPECT_THAT(heard.held, ElementsAre(killed));
}

TEST_P(MpirunWordsTest, shows_other_notices_whole) {
    const std::string text = "one\n" + rule + other + rule + "two\n";
    const Heard heard = hear(text, GetParam());
    EXPECT_EQ(heard.shown, text);
    EXPECT_THAT(heard.held, IsEmpty());
}

TEST_P(MpirunWordsTest, shows_lines_of_dashes_that_are_no_notice) {
    const std::string text = "---\n" + std::string(80, '-') + "\n- a -\n----";
    EXPECT_EQ(hear(text, GetParam()).shown, text);
}

TEST_P(MpirunWordsTest, loses_nothing_of_a_notice_that_is_cut_short) {
    EXPECT_THAT(hear(rule + killed, GetParam()).held, ElementsAre(killed));
    EXPECT_EQ(hear(rule + other, GetParam()).shown, rule + other + rule);
    const std::string endless = rule + std::string(40'000, 'x') + "\nafter\n";
    EXPECT_EQ(hear(endless, GetParam()).shown, endless);
}

INSTANTIATE_TEST_SUITE_P(Reads, MpirunWordsTest, ::testing::Values(1, 7, 100, 100'000));

TEST(MpirunWords, shows_a_line_while_it_is_written) {
    std::string shown;
    MpirunWords words([&](std::string_view bytes) { shown += bytes; });
    words.take("loading");
    EXPECT_EQ(shown, "loading");
    words.take(" ...");
    EXPECT_EQ(shown, "loading ...");
    EXPECT_FALSE(words.passed_message());
    words.take(" done\nrrfp: it failed\n");
    EXPECT_EQ(shown, "loading ... done\nrrfp: it failed\n");
    EXPECT_TRUE(words.passed_message());
}

}  // namespace
}  // namespace rrfp
