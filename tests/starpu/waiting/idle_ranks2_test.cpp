// Invariant: a rank that waits for a message sleeps. With a receive posted it uses less than a
// fiftieth of a core, and the message still reaches it.
#include <chrono>
#include <cstdint>
#include <starpu.h>
#include <starpu_mpi.h>
#include <thread>

#include <gtest/gtest.h>

#include "tests/starpu/test_runtime.h"
#include "tests/support/processor_time.h"

namespace rrfp {
namespace {

using testing::meet;
using testing::ProcessorTime;
using testing::TestRuntime;

TEST(IdleRank, sleeps_while_it_waits_and_wakes_for_the_message) {
    if (TestRuntime::get().waiting() != Waiting::doorbell) {
        GTEST_SKIP() << "StarPU-MPI has no progress hooks";
    }
    constexpr double waited_s = 2;
    constexpr starpu_mpi_tag_t tag = 1;
    const int rank = TestRuntime::get().rank();
    std::int64_t value = rank == 0 ? 42 : 0;
    starpu_data_handle_t handle = nullptr;
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(&value),
                                  sizeof value);
    if (rank == 1) {
        starpu_mpi_irecv_detached(handle, 0, tag, MPI_COMM_WORLD, nullptr, nullptr);
    }
    meet();
    const ProcessorTime time(ProcessorTime::Of::process);
    // What is measured is time; nothing is synchronised by it.
    std::this_thread::sleep_for(std::chrono::duration<double>(waited_s));
    EXPECT_LT(time.used_s(), waited_s / 50);
    if (rank == 0) {
        starpu_mpi_isend_detached(handle, 1, tag, MPI_COMM_WORLD, nullptr, nullptr);
    }
    starpu_mpi_wait_for_all(MPI_COMM_WORLD);
    starpu_data_unregister(handle);
    EXPECT_EQ(value, 42);
    meet();
}

}  // namespace
}  // namespace rrfp
