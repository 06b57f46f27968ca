// Invariant: time counts as standing still only while somebody works or is stopped, nobody's
// counter changes and no living rank runs a task, or does work of its own outside an iteration,
// which has ten times the limit; and the message shows each rank as its beat does.
#include "runtime/starpu/failing/stall.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::HasSubstr;

constexpr double stopped_s = 0.8;
constexpr double look_s = 0.2;

RankSnapshot snapshot(int rank, std::uint64_t progress) {
    RankSnapshot shot;
    shot.rank = rank;
    shot.pid = 100 + rank;
    shot.report.progress = progress;
    shot.report.working = true;
    return shot;
}

/// Looks ten times at unchanging ranks; the first look sees them change from nothing.
double still_after_two_seconds(const std::vector<RankSnapshot>& ranks) {
    StallDetector detector(stopped_s);
    for (int look = 0; look <= 10; ++look) detector.observe(ranks, look_s);
    return detector.still_s();
}

TEST(StallDetector, adds_up_the_time_without_progress) {
    EXPECT_NEAR(still_after_two_seconds({snapshot(0, 3), snapshot(1, 5)}), 2.0, 1e-9);
}

TEST(StallDetector, progress_of_any_rank_starts_it_again) {
    StallDetector detector(stopped_s);
    for (std::uint64_t look = 0; look < 20; ++look) {
        detector.observe({snapshot(0, 3), snapshot(1, look)}, look_s);
    }
    EXPECT_EQ(detector.still_s(), 0);
}

TEST(StallDetector, a_running_task_counts_while_its_rank_beats) {
    RankSnapshot running = snapshot(1, 5);
    running.report.busy = true;
    EXPECT_EQ(still_after_two_seconds({snapshot(0, 3), running}), 0);
    running.beat_age_s = 1;
    EXPECT_NEAR(still_after_two_seconds({snapshot(0, 3), running}), 2.0, 1e-9);
}

TEST(StallDetector, nobody_stands_still_between_iterations) {
    RankSnapshot idle = snapshot(0, 3);
    idle.report.working = false;
    EXPECT_EQ(still_after_two_seconds({idle}), 0);
    idle.report.phase = Phase::waiting;
    EXPECT_EQ(still_after_two_seconds({idle}), 0);
    EXPECT_GT(still_after_two_seconds({idle, snapshot(1, 3)}), 0);
}

TEST(StallDetector, R51_work_outside_an_iteration_has_ten_times_the_limit) {
    for (const Phase phase : {Phase::unknown, Phase::checkpoint, Phase::step, Phase::loading}) {
        RankSnapshot writing = snapshot(0, 3);
        writing.report.working = false;
        writing.report.phase = phase;
        StallDetector detector(stopped_s);
        for (int look = 0; look <= 45; ++look) detector.observe({writing, snapshot(1, 3)}, look_s);
        EXPECT_EQ(detector.still_s(), 0);
        EXPECT_NEAR(detector.apart_s(), 9.0, 1e-9);
        EXPECT_FALSE(detector.too_long(1));
        EXPECT_TRUE(detector.too_long(0.5));
    }
}

TEST(StallDetector, B13_work_that_nobody_waits_for_in_an_iteration_is_bounded_too) {
    RankSnapshot hanging = snapshot(0, 3);
    hanging.report.working = false;
    hanging.report.phase = Phase::step;
    RankSnapshot waiting = hanging;
    waiting.report.phase = Phase::waiting;
    StallDetector detector(stopped_s);
    for (int look = 0; look <= 10; ++look) detector.observe({hanging, waiting}, look_s);
    EXPECT_NEAR(detector.apart_s(), 2.0, 1e-9);
}

TEST(StallDetector, callers_that_say_nothing_may_take_their_time_between_iterations) {
    RankSnapshot idle = snapshot(0, 3);
    idle.report.working = false;
    StallDetector detector(stopped_s);
    for (int look = 0; look <= 1000; ++look) detector.observe({idle, idle}, look_s);
    EXPECT_EQ(detector.apart_s(), 0);
}

TEST(StallDetector, a_rank_stopped_between_iterations_holds_the_others_up) {
    RankSnapshot idle = snapshot(0, 3);
    idle.report.working = false;
    RankSnapshot stopped = idle;
    stopped.beat_age_s = 1;
    EXPECT_NEAR(still_after_two_seconds({idle, stopped}), 2.0, 1e-9);
}

TEST(StallDetector, a_suspended_job_did_not_stand_still) {
    StallDetector detector(stopped_s);
    detector.observe({snapshot(0, 3)}, look_s);
    detector.observe({snapshot(0, 3)}, 3600);
    EXPECT_LE(detector.still_s(), stopped_s);
}

TEST(StallMessage, shows_state_ready_and_awaited_of_each_rank) {
    RankSnapshot waiting = snapshot(0, 3);
    waiting.report.awaited = {"gradient of microbatch 2 from rank 1"};
    RankSnapshot stopped = snapshot(1, 3);
    stopped.beat_age_s = 4.25;
    stopped.report.ready = "1F2";
    RankSnapshot idle = snapshot(2, 3);
    idle.report.working = false;
    const std::string text =
        stall_message({waiting, stopped, idle}, StallDetector(stopped_s), 3, "the key");
    EXPECT_THAT(text, HasSubstr("rank 0 (pid 100): waiting\n    ready: nothing\n    awaits "
                                "gradient of microbatch 2 from rank 1"));
    EXPECT_THAT(text, HasSubstr("rank 1 (pid 101): stopped: no beat for 4.2 s"));
    EXPECT_THAT(text, HasSubstr("ready: 1F2"));
    EXPECT_THAT(text, HasSubstr("rank 2 (pid 102): idle, outside an iteration"));
    EXPECT_THAT(text, HasSubstr("A longer limit: the key, 0 for none."));
    idle.report.phase = Phase::checkpoint;
    idle.report.iteration = 4;
    EXPECT_THAT(
        stall_message({idle}, StallDetector(stopped_s), 3, "the key"),
        HasSubstr("rank 2 (pid 102): at work while it wrote a checkpoint after iteration 4"));
}

}  // namespace
}  // namespace rrfp
