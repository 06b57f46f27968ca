// Invariant: an exception inside a stage ends the whole job within seconds, with a non-zero exit
// and a message that carries its text, the rank, the stage and the microbatch (case R16).
#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/system/child_process.h"
#include "tests/support/mpirun.h"

namespace rrfp::testing {
namespace {

using ::testing::HasSubstr;

class FailingJob : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(FailingJob, R16_ends_soon_and_says_where_and_why) {
    const auto& [kind, microbatch] = GetParam();
    std::vector<std::string> command = mpirun(4);
    command.insert(command.end(), {FAILING_JOB, kind, microbatch});
    const auto begin = std::chrono::steady_clock::now();
    const ProgramResult result = run_program(command);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.output, HasSubstr("the activations do not fit the attention mask"));
    EXPECT_THAT(result.output, HasSubstr("rank 2"));
    EXPECT_THAT(result.output, HasSubstr("stage 2"));
    EXPECT_THAT(result.output, HasSubstr("microbatch " + microbatch));
}

INSTANTIATE_TEST_SUITE_P(Kinds, FailingJob,
                         ::testing::Values(std::pair("forward", "3"), std::pair("backward", "5"),
                                           std::pair("weight-gradient", "1")),
                         [](const auto& kind) { return kind.param.first.substr(0, 6); });

}  // namespace
}  // namespace rrfp::testing
