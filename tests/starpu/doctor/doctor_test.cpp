// Invariant: the examination finds this working machine able to run, names a remedy with every
// finding that is not well, and leaves the process that asks as it was.
#include "runtime/starpu/doctor/doctor.h"

#include <algorithm>
#include <mpi.h>
#include <starpu.h>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace rrfp
