// Invariant: a rank that waits for a collective sleeps, and a collective that the peers never join
// ends in an error that names it, not in a hang.
#include <chrono>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/collectives/mpi_collectives.h"
#include "tests/mpi/mpi_environment.h"
#include "tests/support/processor_time.h"

namespace rrfp::testing {
namespace {

constexpr int pair[] = {0, 1};

TEST(MpiCollectives, a_wait_uses_little_of_a_core) {
    const auto collectives = make_mpi_collectives(pair, {.name = "pair"});
    constexpr double late_s = 1;
    float value = 1;
    if (collectives->rank() == 1) {
        // What is measured is time; nothing is synchronised by it.
        std::this_thread::sleep_for(std::chrono::duration<double>(late_s));
    }
    const ProcessorTime time(ProcessorTime::Of::thread);
    collectives->all_reduce(std::span(&value, 1), Reduction::sum);
    EXPECT_LT(time.used_s(), late_s / 10);
    EXPECT_EQ(value, 2);
}

TEST(MpiCollectives, a_wait_beyond_its_limit_names_group_collective_and_remedy) {
    const auto limited = make_mpi_collectives(pair, {.name = "pair", .wait_seconds = 0.2});
    float value = 1;
    if (limited->rank() == 0) {
        const auto late = limited->start_all_reduce(std::span(&value, 1), Reduction::sum);
        try {
            late->wait();
            ADD_FAILURE() << "nobody else has joined it";
        } catch (const std::runtime_error& error) {
            EXPECT_THAT(error.what(), ::testing::AllOf(::testing::HasSubstr("MPI_Iallreduce"),
                                                       ::testing::HasSubstr("float32[1]"),
                                                       ::testing::HasSubstr("pair"),
                                                       ::testing::HasSubstr("[0, 1]"),
                                                       ::testing::HasSubstr("same order")));
        }
        const auto all = make_mpi_collectives(pair);  // lets rank 1 go on
        late->wait();
    } else {
        const auto all = make_mpi_collectives(pair);
        limited->all_reduce(std::span(&value, 1), Reduction::sum);
    }
    EXPECT_EQ(value, 2);
}

}  // namespace
}  // namespace rrfp::testing
