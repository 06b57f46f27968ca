// A table of durations reads back as it was written, and a table that is not whole is refused with
// file, line and value.

#include "runtime/simulation/durations_csv.h"

#include <sstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;

Pipeline small() { return one_stage_a_rank(2, 1); }

const char* const rows = "F,0,0,1\nF,1,0,2.5\nB,0,0,3e0\nB,1,0,4\nSEND_F,0,0,0.25\nSEND_B,1,0,0\n";

Durations parse(const std::string& text, const Pipeline& pipeline = small()) {
    return parse_durations_csv(pipeline, text, "d.csv");
}

std::string refusal(const std::string& text, const Pipeline& pipeline = small()) {
    try {
        parse(text, pipeline);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

TEST(DurationsCsv, ReadsRowsWithAndWithoutAHeader) {
    for (const std::string header :
         {"", "kind,stage,microbatch,ms\n", "\nkind,stage,microbatch,ms\r\n",
          " kind ,\tstage, microbatch ,ms \n", "\xEF\xBB\xBFkind,stage,microbatch,ms\n",
          "\xEF\xBB\xBF"}) {
        const Durations found = parse(header + rows);
        EXPECT_EQ(found.task_ms({F, 1, 0}), 2.5);
        EXPECT_EQ(found.task_ms({B, 0, 0}), 3);
        EXPECT_EQ(found.message_ms({F, 0, 0}), 0.25);
    }
}

TEST(DurationsCsv, ToleratesBlanksAndAnyOrder) {
    EXPECT_EQ(refusal("SEND_B, 1 ,0,\t0 \r\n\nB,1,0,4\nB,0,0,3\nF,1,0,2\nF,0,0,1\nSEND_F,0,0,1"),
              "accepted");
}

TEST(DurationsCsv, TheInputGradientMayBeCalledAsInReports) {
    Pipeline split = small();
    split.split_weight = true;
    const std::string table = "F,0,0,1\nF,1,0,2\nI,0,0,3\nI,1,0,4\nW,0,0,5\nW,1,0,6\n";
    EXPECT_EQ(parse(table, split).task_ms({B, 1, 0}), 4);
    EXPECT_THAT(refusal(table), HasSubstr("kind 'I'"));
    EXPECT_THAT(refusal(table + "B,1,0,4\n", split), HasSubstr("B"));
}

TEST(DurationsCsv, IgnoresMessagesThatGoNowhere) {
    const Durations found = parse(std::string(rows) + "SEND_F,1,0,7\nSEND_B,0,0,8\n");
    EXPECT_EQ(found.message_ms({F, 1, 0}), 0);
    EXPECT_EQ(found.message_ms({B, 0, 0}), 0);
    const Pipeline one{.placement = Placement({0, 0}), .microbatches = 1};
    EXPECT_EQ(refusal("F,0,0,1\nF,1,0,1\nB,0,0,1\nB,1,0,1\n", one), "accepted");
    EXPECT_EQ(refusal(rows, one), "accepted");
}

TEST(DurationsCsv, MessagesTakeNoTimeWhereNoneHasARow) {
    const Durations found = parse("F,0,0,1\nF,1,0,2\nB,0,0,3\nB,1,0,4\n");
    EXPECT_EQ(found.task_ms({B, 1, 0}), 4);
    EXPECT_EQ(found.message_ms({F, 0, 0}), 0);
    EXPECT_EQ(found.message_ms({B, 1, 0}), 0);
}

TEST(DurationsCsv, ReadsBackWhatItWrote) {
    const Pipeline pipeline{
        .placement = Placement::loop(3, 2), .microbatches = 4, .split_weight = true};
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20, .weight_ms = 7},
                        {.compute_cv = 0.5, .comm_mean_ms = 3}, 1);
    std::stringstream text;
    write_durations_csv(pipeline, sample, text);
    const Durations again = parse_durations_csv(pipeline, text.str(), "d.csv");
    for (int kind = 0; kind < task_kinds; ++kind) {
        for (int stage = 0; stage < 6; ++stage) {
            for (int microbatch = 0; microbatch < 4; ++microbatch) {
                const Task task{static_cast<TaskKind>(kind), stage, microbatch};
                EXPECT_EQ(again.task_ms(task), sample.task_ms(task));
                if (pipeline.sends_message(task)) {
                    EXPECT_EQ(again.message_ms(task), sample.message_ms(task));
                }
            }
        }
    }
}

TEST(DurationsCsv, RefusesRowsThatAreNotRows) {
    const auto after = [](const std::string& row) { return refusal(rows + row); };
    EXPECT_THAT(after("F,0,0\n"), AllOf(HasSubstr("d.csv, line 7"), HasSubstr("3 fields")));
    EXPECT_THAT(after("F,0,0,1,2\n"), HasSubstr("5 fields"));
    EXPECT_THAT(after("G,0,0,1\n"), AllOf(HasSubstr("'G'"), HasSubstr("SEND_F")));
    EXPECT_THAT(after("W,0,0,1\n"), HasSubstr("kind W"));
    EXPECT_THAT(after("F,x,0,1\n"), HasSubstr("stage 'x'"));
    EXPECT_THAT(after("F,0,0x,1\n"), HasSubstr("microbatch '0x'"));
    EXPECT_THAT(after("F,2,0,1\n"), AllOf(HasSubstr("stage 2"), HasSubstr("0 to 1")));
    EXPECT_THAT(after("F,-1,0,1\n"), HasSubstr("stage -1"));
    EXPECT_THAT(after("F,0,99999999999,1\n"), HasSubstr("'99999999999'"));
    EXPECT_THAT(after("kind,stage,microbatch,ms\n"), HasSubstr("'kind'"));
}

TEST(DurationsCsv, RefusesTimesThatAreNoDurations) {
    const auto with = [](const std::string& ms) { return refusal("F,0,0," + ms + "\n"); };
    EXPECT_THAT(with("-1"), AllOf(HasSubstr("line 1"), HasSubstr("ms -1 is negative")));
    for (const char* bad : {"", "ten", "1.5ms", "nan", "inf", "1e999"}) {
        EXPECT_THAT(with(bad), HasSubstr(std::string("ms '") + bad + "'")) << bad;
    }
    // Sums of such times would leave the range of numbers.
    EXPECT_THAT(with("1e308"), AllOf(HasSubstr("line 1"), HasSubstr("ms 1e308 is more than")));
}

TEST(DurationsCsv, RefusesTwiceAndNever) {
    EXPECT_THAT(refusal(std::string(rows) + "B,1,0,4\n"),
                AllOf(HasSubstr("line 7"), HasSubstr("B,1,0"), HasSubstr("line 4")));
    EXPECT_THAT(refusal("F,0,0,1\n"), AllOf(HasSubstr("d.csv"), HasSubstr("F,1,0")));
    EXPECT_THAT(refusal("kind,stage,microbatch,ms\n"), HasSubstr("F,0,0"));
    EXPECT_THAT(refusal("F,0,0,1\nF,1,0,1\nB,0,0,1\nB,1,0,1\nSEND_F,0,0,1\n"),
                HasSubstr("SEND_B,1,0"));
}

TEST(DurationsCsv, SaysWhatIsNoTableAtAll) {
    for (const char* text : {"", "\n \n", "\xEF\xBB\xBF"}) {
        EXPECT_THAT(refusal(text), ::testing::StartsWith("d.csv: is empty"));
    }
}

}  // namespace
}  // namespace rrfp
