#include "runtime/mpi/node_memory.h"

#include <cstring>

#include "runtime/mpi/mpi_call.h"
#include "runtime/mpi/mpi_wait.h"

namespace rrfp {
namespace {

/// No two ranks write to one pair of cache lines (the prefetcher fetches pairs).
constexpr std::size_t alignment = 128;

constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

NodeMemory::NodeMemory(MPI_Comm node, std::size_t own_bytes) {
    const std::size_t bytes = round_up(own_bytes);
    void* mine = nullptr;
    check_mpi(MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, node,
                                      static_cast<void*>(&mine), &window_),
              "MPI_Win_allocate_shared",
              "The node's shared memory may be full: look at df /dev/shm");
    // Plain loads and stores of another rank's part are allowed within an access epoch only.
    check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
    int ranks = 0;
    check_mpi(MPI_Comm_size(node, &ranks), "MPI_Comm_size");
    for (int rank = 0; rank < ranks; ++rank) {
        MPI_Aint size = 0;
        int unit = 0;
        check_mpi(MPI_Win_shared_query(window_, rank, &size, &unit,
                                       static_cast<void*>(&parts_.emplace_back())),
                  "MPI_Win_shared_query");
    }
    std::memset(mine, 0, bytes);
    check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
    barrier_napping(node);
}

NodeMemory::~NodeMemory() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
}

}  // namespace rrfp
