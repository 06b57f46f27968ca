// Invariant: the examination finds this working machine able to run, names a remedy with every
// finding that is not well, and leaves the process that asks as it was.
#include "runtime/starpu/doctor/doctor.h"

#include <algorithm>
#include <mpi.h>
#include <signal.h>
#include <starpu.h>
#include <stdexcept>

#include <gtest/gtest.h>

#include "runtime/system/child_trial.h"

namespace rrfp {
namespace {

TEST(Doctor, finds_a_machine_that_runs_the_tests_able_to_run) {
    const std::vector<Fact> facts = examine_runtime();
    EXPECT_GE(facts.size(), 6U);
    for (const Fact& fact : facts) {
        EXPECT_NE(fact.health, Health::fail) << fact.name << ": " << fact.value;
        EXPECT_FALSE(fact.value.empty()) << fact.name;
        EXPECT_EQ(fact.health == Health::ok, fact.remedy.empty()) << fact.name;
    }
}

TEST(Doctor, leaves_mpi_and_starpu_alone) {
    examine_runtime();
    int initialized = 1;
    MPI_Initialized(&initialized);
    EXPECT_EQ(initialized, 0);
    EXPECT_EQ(starpu_is_initialized(), 0);
}

TEST(ChildTrial, tells_success_exception_signal_and_time_apart) {
    const TrialResult well = try_in_child([] { return std::string("well"); }, 20);
    EXPECT_TRUE(well.succeeded);
    EXPECT_EQ(well.text, "well");
    const TrialResult thrown =
        try_in_child([]() -> std::string { throw std::runtime_error("lost"); }, 20);
    EXPECT_FALSE(thrown.succeeded);
    EXPECT_EQ(thrown.text, "lost");
    const TrialResult killed = try_in_child(
        [] {
            raise(SIGKILL);
            return std::string();
        },
        20);
    EXPECT_FALSE(killed.succeeded);
    EXPECT_EQ(killed.text, "ended by signal 9");
    const TrialResult late = try_in_child(
        [] {
            raise(SIGALRM);
            return std::string();
        },
        20);
    EXPECT_EQ(late.text, "no answer within 20 s");
}

}  // namespace
}  // namespace rrfp
