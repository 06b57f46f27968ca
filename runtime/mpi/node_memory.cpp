#include "runtime/mpi/node_memory.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <fmt/format.h>

#include "runtime/mpi/mpi_call.h"
#include "runtime/mpi/mpi_wait.h"
#include "runtime/system/descriptor.h"

namespace rrfp {
namespace {

/// No two ranks write to one pair of cache lines (the prefetcher fetches pairs).
constexpr std::size_t alignment = 128;

constexpr std::size_t round_up(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

/// Zeroes memory whose pages need not exist yet; returns the errno of a failure, or 0. Where the
/// file system behind them is full, a read into them fails, and a plain write would be a SIGBUS.
int zero(void* begin, std::size_t bytes) {
    const Descriptor zeroes(open("/dev/zero", O_RDONLY | O_CLOEXEC));
    if (!zeroes.is_open()) return errno;
    int error = 0;
    for (std::size_t done = 0; done < bytes && error == 0;) {
        const ssize_t got = read(zeroes.number(), static_cast<char*>(begin) + done, bytes - done);
        if (got > 0) done += static_cast<std::size_t>(got);
        if (got == 0) error = EIO;
        if (got < 0 && errno != EINTR) error = errno;
    }
    return error;
}

/// The same at every rank of the node: how many of them failed.
int count_failures(MPI_Comm node, bool failed) {
    const int mine = failed ? 1 : 0;
    int all = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_SUM, node, &request), "MPI_Iallreduce");
    wait_napping(request);
    return all;
}

constexpr const char* full = "The node's shared memory may be full: look at df /dev/shm";

}  // namespace

NodeMemory::NodeMemory(MPI_Comm node, std::size_t own_bytes) {
    const std::size_t bytes = round_up(own_bytes);
    void* mine = nullptr;
    check_mpi(MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, node,
                                      static_cast<void*>(&mine), &window_),
              "MPI_Win_allocate_shared", full);
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
    const int error = zero(mine, bytes);
    check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
    // Also the point from which every rank finds the others' parts zeroed.
    if (count_failures(node, error != 0) > 0) {
        free();
        throw std::runtime_error(fmt::format(
            "{} bytes of the node's shared memory: {}. {}", bytes,
            error != 0 ? std::strerror(error) : "another rank could not have its part", full));
    }
}

NodeMemory::~NodeMemory() { free(); }

void NodeMemory::free() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
}

}  // namespace rrfp
