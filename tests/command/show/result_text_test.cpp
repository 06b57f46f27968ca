// Guards: the tables' figures and the verdict on bit-equality.

#include "adapters/command/show/result_text.h"

#include <gmock/gmock.h>

namespace rrfp {
namespace {

using ::testing::HasSubstr;

RunResult run(const std::string& arbiter, double ms, double loss) {
    RunResult result;
    result.job.schedule.arbiter = arbiter;
    result.iterations = {{.milliseconds = 99, .loss = 5}, {.milliseconds = ms, .loss = loss}};
    result.ranks = {{.rank = 0, .compute_ms = 10, .blocking_ms = 1, .in_flight_high_water = 3},
                    {.rank = 1, .compute_ms = 20, .blocking_ms = 3, .in_flight_high_water = 7}};
    result.parameters_sha256 = arbiter;
    return result;
}

TEST(ResultText, ComparesWithTheFirst) {
    const std::string text = comparison_text({run("fixed", 30, 2.5), run("bf", 20, 2.5)});
    EXPECT_THAT(text, ::testing::ContainsRegex("fixed +30.0 +1.000 +15.0 +2.0 +7 +2.500000 +equal "
                                               "+equal\n"));
    EXPECT_THAT(text, ::testing::ContainsRegex("bf +20.0 +1.500 +15.0 +2.0 +7 +2.500000 +equal "
                                               "+differ\n"));
}

TEST(ResultText, OneBitOfALossIsADifference) {
    const double next = std::nextafter(2.5, 3);
    EXPECT_THAT(comparison_text({run("fixed", 30, 2.5), run("bf", 20, next)}),
                ::testing::ContainsRegex("bf .* differ +differ\n"));
}

TEST(ResultText, ARunNamesItsFigures) {
    const std::string text = run_text(run("bf", 32, 2.5));
    EXPECT_THAT(text, ::testing::ContainsRegex("1 +20.0 +3.0 +7\n"));
    EXPECT_THAT(text, HasSubstr("median iteration 32.0 ms, 1000.0 samples/s, final loss 2.500000"));
    EXPECT_THAT(text, HasSubstr("parameters bf"));
}

TEST(ResultText, ARunWithNothingToDoHasNoFigures) {
    RunResult done = run("bf", 32, 2.5);
    done.iterations.clear();
    EXPECT_THAT(run_text(done), HasSubstr("no iteration was left to do, final loss -"));
}

TEST(ResultText, ARunNamesWhoDecidedAndByWhichLimit) {
    RunResult one = run("bf", 32, 2.5);
    one.job.schedule.admission = "graded";
    one.job.schedule.limit = std::vector{9, 8};
    EXPECT_THAT(run_text(one), ::testing::StartsWith("arbiter bf, admission graded, limit 9 8\n"));
}

TEST(ResultText, DrainThatHeldChunksBackIsTold) {
    RunResult one = run("bf", 32, 2.5);
    one.job.schedule.admission = "drain";
    one.job.parallel.pipeline = 2;
    one.job.parallel.chunks = 2;
    one.job.schedule.limit = std::vector{7};
    EXPECT_THAT(run_text(one), HasSubstr("reached its limit of 7"));
    one.job.schedule.limit = std::vector{8};
    EXPECT_THAT(run_text(one), ::testing::Not(HasSubstr("reached its limit")));
    one.job.schedule.limit = std::vector{7};
    one.job.schedule.admission = "graded";
    EXPECT_THAT(run_text(one), ::testing::Not(HasSubstr("reached its limit")));
}

TEST(ResultText, AFasterFixedOrderIsToldWithItsFiguresAndItsKey) {
    RunResult one = run("bf", 32, 2.5);
    one.replay = {.chosen_ms = 105, .fixed_ms = 100, .iterations = 3};
    EXPECT_THAT(run_text(one),
                ::testing::AllOf(HasSubstr("105.0 ms under bf and 100.0 in fixed order"),
                                 HasSubstr("schedule.arbiter = \"fixed\""), HasSubstr("guard")));
    one.replay->switched = true;
    EXPECT_THAT(run_text(one), HasSubstr("went on in fixed order"));
    one.replay = {.chosen_ms = 101, .fixed_ms = 100, .iterations = 3};
    EXPECT_THAT(run_text(one), ::testing::Not(HasSubstr("fixed order")));
}

}  // namespace
}  // namespace rrfp
