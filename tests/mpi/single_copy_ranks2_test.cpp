// Invariant: what is said of single-copy transfers is what MPI really does: a job that forbids them
// is told that there are none, so that both ends of a large transfer stay awake.
#include <cstdlib>
#include <mpi.h>

#include <gtest/gtest.h>

#include "runtime/mpi/single_copy.h"

namespace rrfp {
namespace {

TEST(SingleCopy, IsNotThereWhereTheJobForbidsIt) {
    ASSERT_EQ(setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1), 0);
    int level = 0;
    ASSERT_EQ(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), MPI_SUCCESS);
    EXPECT_FALSE(mpi_copies_once());
    int level_now = MPI_THREAD_SINGLE;
    ASSERT_EQ(MPI_Query_thread(&level_now), MPI_SUCCESS);
    EXPECT_EQ(level_now, level) << "asking must leave MPI's thread level alone";
    EXPECT_FALSE(mpi_copies_once()) << "asking changes nothing";
    MPI_Finalize();
}

}  // namespace
}  // namespace rrfp
