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

}  // namespace
}  // namespace rrfp
