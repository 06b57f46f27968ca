// Invariant: after the start the memory through which a rank sends to its node is all there, so
// that no other file can take it later.
#include <fstream>
#include <map>
#include <mpi.h>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "runtime/mpi/message_memory.h"
#include "tests/mpi/mpi_environment.h"

namespace rrfp {
namespace {

/// The files of messages that this rank maps, by their rank.
std::map<std::string, std::string> segments() {
    std::map<std::string, std::string> found;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        const std::size_t path = line.find('/');
        if (line.find("/vader_segment.") == std::string::npos) continue;
        found[line.substr(line.rfind('.') + 1)] = line.substr(path);
    }
    return found;
}

TEST(MessageMemory, IsReservedWhole) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const auto mapped = segments();
    if (mapped.empty()) GTEST_SKIP() << "this MPI maps no file for its messages";
    reserve_message_memory(rank);
    struct stat seen {};
    ASSERT_EQ(stat(mapped.at(std::to_string(rank)).c_str(), &seen), 0);
    EXPECT_GE(seen.st_blocks * 512, seen.st_size);
    reserve_message_memory(rank);  // again changes nothing
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace rrfp
