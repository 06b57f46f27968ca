// Invariant: without progress hooks, naps alone keep messages moving both ways.
#include <cstdint>
#include <mpi.h>
#include <starpu.h>
#include <starpu_mpi.h>

#include <gtest/gtest.h>

#include "runtime/starpu/runtime.h"

namespace rrfp {
namespace {

TEST(Nap, messages_go_to_and_fro) {
    constexpr int rounds = 50;
    Runtime runtime({.waiting = Waiting::nap, .watchdog_seconds = 20});
    EXPECT_EQ(runtime.waiting(), Waiting::nap);
    const int peer = 1 - runtime.rank();
    std::int64_t value = 0;
    starpu_data_handle_t handle = nullptr;
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(&value),
                                  sizeof value);
    for (int round = 0; round < rounds; ++round) {
        if (round % 2 == runtime.rank()) {
            ASSERT_EQ(starpu_data_acquire(handle, STARPU_RW), 0);
            ++value;
            starpu_data_release(handle);
            starpu_mpi_isend_detached(handle, peer, round, MPI_COMM_WORLD, nullptr, nullptr);
        } else {
            starpu_mpi_irecv_detached(handle, peer, round, MPI_COMM_WORLD, nullptr, nullptr);
        }
    }
    starpu_mpi_wait_for_all(MPI_COMM_WORLD);
    starpu_data_unregister(handle);
    EXPECT_EQ(value, rounds);
}

}  // namespace
}  // namespace rrfp
