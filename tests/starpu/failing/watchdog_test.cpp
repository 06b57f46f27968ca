// Invariant: a job that stands still ends within its limit and a few seconds, with a non-zero exit
// and a message that names every rank's state; a job that is only slow is left alone.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/system/child_process.h"
#include "tests/support/mpirun.h"

namespace rrfp::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ProgramResult play(const std::string& scenario) {
    std::vector<std::string> command = mpirun(3);
    command.insert(command.end(), {WATCHDOG_SCENARIO, scenario, "1"});
    return run_program(command);
}

TEST(Watchdog, names_a_stopped_rank_and_ends_the_job) {
    const ProgramResult result = play("stopped");
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.output, HasSubstr("no rank has made progress"));
    EXPECT_THAT(result.output, ::testing::ContainsRegex("rank 1 \\(pid [0-9]+\\): stopped"));
    EXPECT_THAT(result.output, ::testing::ContainsRegex("rank 0 \\(pid [0-9]+\\): waiting"));
}

TEST(Watchdog, says_who_waits_for_what_from_whom) {
    const ProgramResult result = play("unanswered");
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.output, HasSubstr("awaits activation of microbatch 4 from rank 2"));
    EXPECT_THAT(result.output, HasSubstr("awaits activation of microbatch 4 from rank 0"));
    EXPECT_THAT(result.output, HasSubstr("ready: 2F7 2B3"));
    EXPECT_THAT(result.output, Not(HasSubstr("stopped: no beat")));
}

TEST(Watchdog, takes_a_long_task_on_a_beating_rank_as_progress) {
    const ProgramResult result = play("long-task");
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, Not(HasSubstr("no rank has made progress")));
}

TEST(Watchdog, leaves_a_killed_rank_to_mpirun) {
    const ProgramResult result = play("killed");
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.output, HasSubstr("signal 9"));
}

TEST(Watchdog, a_fault_names_its_rank_and_what_that_was_at) {
    const ProgramResult result = play("fault");
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.output, ::testing::ContainsRegex("rrfp: rank 1 \\(pid [0-9]+, host [^)]+\\) "
                                                        "got signal 11 outside an iteration"));
    EXPECT_THAT(result.output, HasSubstr("signal 11"));  // and mpirun sees it, too
}

TEST(Watchdog, an_exception_that_leaves_the_runtime_ends_all_ranks) {
    const ProgramResult result = play("exception");
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.output, HasSubstr("leaves the scope of rrfp::Runtime on rank 1"));
}

}  // namespace
}  // namespace rrfp::testing
