// Invariant: whatever ends a job, the verdict has a message that names who or why, unless a message
// of ours was printed; the exit code is 0, 2 for refused input, or 1 (cases N1, R33).
#include "adapters/jobs/launch/launch_end.h"

#include <cerrno>
#include <cstdlib>
#include <signal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string killed =
    "mpirun noticed that process rank 2 with PID 4711 on node n1 exited on signal 9 (Killed).\n";
// As mpirun breaks it, and with a rank's two numbers.
const std::string exited =
    "mpirun detected that one or more processes exited with non-zero status, thus causing\n"
    "the job to be terminated. The first process to do so was:\n\n"
    "  Process name: [[36231,1],3]\n  Exit code:    3\n";

constexpr int exit_status(int code) { return code << 8; }

LaunchFacts facts(int status, std::vector<std::string> notices) {
    LaunchFacts facts{.mpirun = "/usr/bin/mpirun", .pid = 10, .status = status};
    facts.rank = find_rank_end(notices);
    facts.notices = std::move(notices);
    return facts;
}

TEST(RankEnd, is_read_out_of_mpiruns_words) {
    EXPECT_EQ(find_rank_end({"else\n", killed}),
              (RankEnd{.rank = 2, .pid = 4711, .host = "n1", .signal = 9}));
    EXPECT_EQ(find_rank_end({exited}), (RankEnd{.rank = 3, .exit_code = 3}));
    EXPECT_EQ(find_rank_end({"mpirun noticed that process rank 99999999999 with PID 1 on node n "
                             "exited on signal 9."}),
              std::nullopt);
    EXPECT_EQ(find_rank_end({}), std::nullopt);
}

TEST(LaunchEnd, names_the_rank_that_a_signal_ended_and_what_it_was_at) {
    LaunchFacts known = facts(exit_status(137), {killed});
    known.sign = LifeReading{.pid = 4712, .phase = Phase::step, .iteration = 3, .task = {}};
    const LaunchVerdict verdict = judge_end(known);
    EXPECT_EQ(verdict.exit_code, 1);
    EXPECT_THAT(verdict.message,
                HasSubstr("rank 2 (pid 4712, host n1) was ended by signal 9 (Killed) in the "
                          "optimizer step of iteration 3; the job was ended"));
    EXPECT_THAT(verdict.message, HasSubstr("out-of-memory"));
    EXPECT_THAT(verdict.quoted, IsEmpty());
}

TEST(LaunchEnd, names_the_rank_that_exited_unless_it_has_spoken) {
    LaunchFacts silent = facts(exit_status(3), {exited});
    EXPECT_THAT(judge_end(silent).message, HasSubstr("rank 3 (host "));
    EXPECT_THAT(judge_end(silent).message, HasSubstr("exited with code 3"));
    EXPECT_EQ(judge_end(silent).exit_code, 1);
    silent.rank->exit_code = 1;
    EXPECT_THAT(judge_end(silent).message, HasSubstr("exited with code 1"));
    silent.told = true;
    EXPECT_THAT(judge_end(silent).message, IsEmpty());
    silent.rank->exit_code = 2;
    EXPECT_EQ(judge_end(silent).exit_code, 2);
}

TEST(LaunchEnd, of_an_abort_that_was_told_says_no_more) {
    LaunchFacts aborted =
        facts(exit_status(1), {"MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\n"});
    aborted.told = true;
    EXPECT_THAT(judge_end(aborted).message, IsEmpty());
    EXPECT_EQ(judge_end(aborted).exit_code, 1);
    aborted.told = false;
    EXPECT_THAT(judge_end(aborted).message, HasSubstr("ended with code 1"));
    EXPECT_THAT(judge_end(aborted).quoted, HasSubstr("MPI_ABORT"));
}

TEST(LaunchEnd, of_a_start_that_failed_without_a_word_names_mpirun_and_its_settings) {
    setenv("OMPI_MCA_coll", "^libnbc", 1);
    const LaunchVerdict verdict = judge_end(facts(exit_status(255), {}));
    unsetenv("OMPI_MCA_coll");
    EXPECT_EQ(verdict.exit_code, 1);
    EXPECT_THAT(
        verdict.message,
        HasSubstr("mpirun (/usr/bin/mpirun) ended with code 255 without a "
                  "word; the environment sets OMPI_MCA_coll=^libnbc, which may be the cause"));
}

TEST(LaunchEnd, names_the_time_limit_of_mpirun) {
    setenv("MPIEXEC_TIMEOUT", "5", 1);
    const LaunchVerdict verdict = judge_end(facts(exit_status(ETIMEDOUT), {}));
    unsetenv("MPIEXEC_TIMEOUT");
    EXPECT_THAT(verdict.message, HasSubstr("the 5 seconds of MPIEXEC_TIMEOUT"));
}

TEST(LaunchEnd, names_an_mpirun_that_a_signal_ended) {
    const LaunchVerdict verdict = judge_end(facts(SIGKILL, {}));
    EXPECT_EQ(verdict.exit_code, 1);
    EXPECT_THAT(verdict.message, HasSubstr("mpirun (pid 10) was ended by signal 9 (Killed)"));
}

TEST(LaunchEnd, of_a_job_that_is_done_says_nothing) {
    EXPECT_EQ(judge_end(facts(0, {})).exit_code, 0);
    EXPECT_THAT(judge_end(facts(0, {})).message, IsEmpty());
}

}  // namespace
}  // namespace rrfp
