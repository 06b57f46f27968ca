// Invariant: a Runtime starts MPI with MPI_THREAD_MULTIPLE and StarPU with one worker under our
// policy, whatever STARPU_SCHED says, and everything it started is gone after its destruction.
#include <cstdlib>
#include <mpi.h>
#include <starpu.h>
#include <starpu_scheduler.h>
#include <stdexcept>

#include <gtest/gtest.h>

#include "runtime/starpu/runtime.h"

namespace rrfp {
namespace {

TEST(RuntimeStart, refuses_a_negative_limit_before_anything_starts) {
    EXPECT_THROW(Runtime({.watchdog_seconds = -1}), std::runtime_error);
    int initialized = 1;
    MPI_Initialized(&initialized);
    EXPECT_EQ(initialized, 0);
}

TEST(RuntimeStart, overrides_the_environment_and_leaves_nothing_running) {
    setenv("STARPU_SCHED", "eager", 1);
    setenv("STARPU_NCPU", "2", 1);
    {
        Runtime runtime({});
        EXPECT_EQ(runtime.ranks(), 2);
        EXPECT_NE(runtime.waiting(), Waiting::automatic);
        int level = MPI_THREAD_SINGLE;
        MPI_Query_thread(&level);
        EXPECT_EQ(level, MPI_THREAD_MULTIPLE);
        EXPECT_STREQ(starpu_sched_get_sched_policy()->policy_name, "rrfp");
        EXPECT_EQ(starpu_worker_get_count(), 1U);

        int sum = 0;
        const int mine = runtime.rank() + 1;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        Runtime::wait(request);
        EXPECT_EQ(sum, 3);
    }
    EXPECT_EQ(starpu_is_initialized(), 0);
    int finalized = 0;
    MPI_Finalized(&finalized);
    EXPECT_NE(finalized, 0);
}

}  // namespace
}  // namespace rrfp
