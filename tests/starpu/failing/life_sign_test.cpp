// Invariant: a launcher reads what a rank was at after that rank has gone, whatever ended it; what
// is no launcher's memory is left alone.
#include <cstdlib>
#include <signal.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "runtime/starpu/failing/life_signs.h"
#include "runtime/system/child_trial.h"

namespace rrfp {
namespace {

const Task task{.kind = TaskKind::backward, .stage = 70'000, .microbatch = 3};

class LifeSignsTest : public ::testing::Test {
  protected:
    ~LifeSignsTest() override { unsetenv(LifeSigns::variable); }

    /// As a rank in a process of its own, which a signal ends.
    template <typename Work>
    static void play(int rank, Work work) {
        const auto trial = [=]() -> std::string {
            show_life_sign(rank);
            work();
            raise(SIGKILL);
            return "";
        };
        EXPECT_FALSE(try_in_child(trial, 10).succeeded);
    }
};

TEST_F(LifeSignsTest, outlive_the_rank) {
    const LifeSigns signs(3);
    setenv(LifeSigns::variable, signs.mark().c_str(), 1);
    play(1, [] {
        life_sign().enter_iteration(4);
        life_sign().enter(Phase::iteration);
        life_sign().begin_task(task);
    });
    EXPECT_FALSE(signs.read(0));
    const auto reading = signs.read(1);
    ASSERT_TRUE(reading);
    EXPECT_GT(reading->pid, 0);
    EXPECT_EQ(reading->task, task);
    EXPECT_EQ(reading->text(), "in iteration 5, in the backward of stage 70000, microbatch 3");
}

TEST_F(LifeSignsTest, tell_the_last_task_of_a_rank_that_runs_none) {
    const LifeSigns signs(1);
    setenv(LifeSigns::variable, signs.mark().c_str(), 1);
    play(0, [] {
        life_sign().enter_iteration(0);
        life_sign().begin_task(task);
        life_sign().end_task();
        life_sign().enter(Phase::checkpoint);
    });
    EXPECT_EQ(signs.read(0)->text(),
              "while it wrote a checkpoint after iteration 1; its last task was the backward of "
              "stage 70000, microbatch 3");
}

TEST_F(LifeSignsTest, a_phase_ends_with_its_scope) {
    life_sign().enter(Phase::waiting);
    {
        const InPhase step(Phase::step);
        EXPECT_EQ(life_sign().phase(), Phase::step);
    }
    EXPECT_EQ(life_sign().phase(), Phase::waiting);
    life_sign().enter(Phase::unknown);
}

TEST_F(LifeSignsTest, belong_to_one_launch) {
    const LifeSigns one(1);
    const LifeSigns other(1);
    EXPECT_NE(one.mark(), other.mark());
}

TEST_F(LifeSignsTest, are_not_written_where_no_launcher_keeps_them) {
    const LifeSigns signs(1);
    for (const std::string mark : {"", "nonsense", "1:2", "999999999:3:4"}) {
        setenv(LifeSigns::variable, mark.c_str(), 1);
        play(0, [] { life_sign().enter(Phase::step); });
    }
    setenv(LifeSigns::variable, signs.mark().c_str(), 1);
    play(1, [] { life_sign().enter(Phase::step); });  // there is no rank 1
    play(-1, [] { life_sign().enter(Phase::step); });
    EXPECT_FALSE(signs.read(0));
    EXPECT_FALSE(signs.read(1));
    EXPECT_FALSE(signs.read(-1));
}

}  // namespace
}  // namespace rrfp
