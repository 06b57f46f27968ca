// Invariant: a job that no rank of it can end is ended by its launcher, after the limit and the
// time that ranks have to tell; one whose ranks work, wait or beat is left alone (cases B10, B11,
// B14).
#include "adapters/jobs/launch/job_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double limit_s = 2;
constexpr double longest_s = limit_s + JobWatch::grace_s;

JobLook::Rank rank(int number, Phase phase = Phase::iteration) {
    return {.rank = number,
            .pid = 100 + number,
            .gone = false,
            .stopped = false,
            .sign = {.pid = 100 + number, .phase = phase, .iteration = 1, .task = {}}};
}

JobLook two_ranks() { return {.mpirun = 50, .mpirun_stopped = false, .ranks = {rank(0), rank(1)}}; }

/// After `seconds` in which nothing changes but beats.
std::optional<std::string> fault_after(JobLook look, double seconds, double limit = limit_s) {
    JobWatch watch(limit);
    watch.judge(look);
    for (double at = 0; at < seconds; at += JobWatch::period_s) {
        for (JobLook::Rank& each : look.ranks) ++each.sign.beats;
        watch.judge(look);
    }
    return watch.fault();
}

TEST(JobWatch, leaves_a_job_alone_whose_ranks_live) {
    JobLook look = two_ranks();
    look.ranks[0].sign.beating = look.ranks[1].sign.beating = true;
    EXPECT_FALSE(fault_after(look, 1000));
}

TEST(JobWatch, B14_names_ranks_that_are_all_stopped) {
    JobLook look = two_ranks();
    look.ranks[0].stopped = look.ranks[1].stopped = true;
    EXPECT_FALSE(fault_after(look, longest_s - 1));
    const auto fault = fault_after(look, longest_s);
    ASSERT_TRUE(fault);
    EXPECT_THAT(*fault, HasSubstr("rank 0 (pid 100) is stopped, for 5.0 s now, in iteration 1"));
    EXPECT_THAT(*fault, HasSubstr("rank 1 (pid 101) is stopped"));
    EXPECT_THAT(*fault, HasSubstr("[watchdog] seconds"));
}

TEST(JobWatch, B10_names_a_rank_that_is_stopped_when_it_leaves) {
    JobLook look = two_ranks();
    look.ranks[0].gone = true;
    look.ranks[1] = rank(1, Phase::leaving);
    look.ranks[1].stopped = true;
    const auto fault = fault_after(look, longest_s);
    ASSERT_TRUE(fault);
    EXPECT_THAT(*fault, HasSubstr("rank 1 (pid 101) is stopped"));
    EXPECT_THAT(*fault, HasSubstr("after its work, while it left MPI"));
}

TEST(JobWatch, names_a_rank_that_does_not_follow_the_others_out) {
    JobLook look = two_ranks();
    look.ranks[0].gone = true;
    look.ranks[1] = rank(1, Phase::shutting_down);
    EXPECT_FALSE(fault_after(look, longest_s - 1));
    EXPECT_THAT(fault_after(look, longest_s).value_or(""),
                HasSubstr("rank 1 (pid 101) has not ended, while it shut down"));
}

TEST(JobWatch, names_ranks_that_do_not_leave) {
    JobLook look = two_ranks();
    look.ranks = {rank(0, Phase::leaving), rank(1, Phase::leaving)};
    EXPECT_THAT(fault_after(look, longest_s).value_or(""), HasSubstr("s after its work"));
}

TEST(JobWatch, names_a_rank_whose_watchdog_is_silent) {
    JobLook look = two_ranks();
    look.ranks[1].sign.beating = true;
    JobWatch watch(limit_s);
    for (double at = 0; at <= longest_s + 1; at += JobWatch::period_s) watch.judge(look);
    ASSERT_TRUE(watch.fault());
    EXPECT_THAT(*watch.fault(), HasSubstr("rank 1 (pid 101) has shown no sign of life"));
    EXPECT_THAT(*watch.fault(), Not(HasSubstr("rank 0")));
}

TEST(JobWatch, B11_names_an_mpirun_that_is_stopped) {
    JobLook look = two_ranks();
    look.mpirun_stopped = true;
    EXPECT_FALSE(fault_after(look, limit_s - 1));
    EXPECT_THAT(fault_after(look, limit_s).value_or(""), HasSubstr("mpirun (pid 50) is stopped"));
}

TEST(JobWatch, names_an_mpirun_that_outlives_its_ranks) {
    JobLook look = two_ranks();
    look.ranks[0].gone = look.ranks[1].gone = true;
    EXPECT_FALSE(fault_after(look, 9 * limit_s));  // somebody may yet read what ranks have printed
    EXPECT_THAT(fault_after(look, 10 * limit_s).value_or(""),
                HasSubstr("mpirun (pid 50) has not ended"));
}

TEST(JobWatch, time_counts_anew_when_a_rank_goes_on) {
    JobLook stopped = two_ranks();
    stopped.ranks[0].stopped = true;
    JobWatch watch(limit_s);
    for (int look = 0; look < 100; ++look) watch.judge(look % 10 == 0 ? two_ranks() : stopped);
    EXPECT_FALSE(watch.fault());
}

TEST(JobWatch, without_a_limit_watches_nothing) {
    JobLook look = two_ranks();
    look.ranks[0].stopped = look.ranks[1].stopped = look.mpirun_stopped = true;
    EXPECT_FALSE(fault_after(look, 1000, 0));
}

}  // namespace
}  // namespace rrfp
