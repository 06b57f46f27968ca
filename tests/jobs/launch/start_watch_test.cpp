// Invariant: a start is ended when a rank stays stopped for the limit, or when no watchdog beats
// after the longer limit; never once one beats, and never without a limit.
#include "adapters/jobs/launch/start_watch.h"

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double limit_s = 2;
const RankProcess starting{.rank = 0, .pid = 100};
const RankProcess stopped{.rank = 1, .pid = 101, .stopped = true};
const RankProcess up{.rank = 0, .pid = 100, .watchdog = true};

StartWatch judged(const std::vector<RankProcess>& ranks, double seconds, double limit = limit_s) {
    StartWatch start(limit);
    for (double at = 0; at < seconds && start.watching(); at += StartWatch::period_s) {
        start.judge(ranks);
    }
    return start;
}

TEST(StartWatch, names_a_rank_that_stays_stopped) {
    EXPECT_FALSE(judged({starting, stopped}, limit_s - StartWatch::period_s).fault());
    const StartWatch start = judged({starting, stopped}, limit_s);
    ASSERT_TRUE(start.fault());
    EXPECT_THAT(*start.fault(), HasSubstr("rank 1 (pid 101) is stopped, for 2.0 s"));
    EXPECT_THAT(*start.fault(), Not(HasSubstr("rank 0")));
}

TEST(StartWatch, a_rank_that_was_resumed_counts_anew) {
    StartWatch start = judged({starting, stopped}, limit_s - StartWatch::period_s);
    start.judge({starting});
    start.judge({starting, stopped});
    EXPECT_FALSE(start.fault());
}

TEST(StartWatch, a_slow_start_has_the_longer_limit) {
    EXPECT_FALSE(judged({starting}, 10 * limit_s).fault());
    const StartWatch start = judged({starting}, StartWatch::shortest_limit_s);
    ASSERT_TRUE(start.fault());
    EXPECT_THAT(*start.fault(), HasSubstr("within 30 s; 1 of them"));
    EXPECT_FALSE(judged({starting}, 99, 100).fault());
    EXPECT_TRUE(judged({}, 100, 100).fault());
}

TEST(StartWatch, ends_when_a_watchdog_beats) {
    const StartWatch start = judged({up, stopped}, 100);
    EXPECT_FALSE(start.watching());
    EXPECT_FALSE(start.fault());
}

TEST(StartWatch, without_a_limit_watches_nothing) { EXPECT_FALSE(StartWatch(0).watching()); }

TEST(RankProcesses, finds_none_where_no_mpi_job_runs) {
    EXPECT_TRUE(rank_processes(getpid()).empty());
}

}  // namespace
}  // namespace rrfp
