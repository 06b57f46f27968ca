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

NodeMemory::NodeMemory(MPI_Comm node, std::size_t bytes_per_rank)
    : stride_(round_up(bytes_per_rank)) {
    char* mine = nullptr;
    check_mpi(MPI_Win_allocate_shared(static_cast<MPI_Aint>(stride_), 1, MPI_INFO_NULL, node,
                                      static_cast<void*>(&mine), &window_),
              "MPI_Win_allocate_shared",
              "The node's shared memory may be full: look at df /dev/shm");
    // Plain loads and stores of another rank's part are allowed within an access epoch only.
    check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
    MPI_Aint size = 0;
    int unit = 0;
    check_mpi(MPI_Win_shared_query(window_, 0, &size, &unit, static_cast<void*>(&base_)),
              "MPI_Win_shared_query");
    check_mpi(MPI_Comm_size(node, &ranks_), "MPI_Comm_size");
    std::memset(mine, 0, stride_);
    check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
    barrier_napping(node);
}

NodeMemory::~NodeMemory() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
}

void* NodeMemory::of(int node_rank) const {
    return base_ + static_cast<std::size_t>(node_rank) * stride_;
}

}  // namespace rrfp
