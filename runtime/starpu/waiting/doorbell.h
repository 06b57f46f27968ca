#pragma once

#include <chrono>
#include <cstdint>

#include "runtime/mpi/mpi_session.h"
#include "runtime/mpi/node_memory.h"
#include "runtime/system/futex.h"

namespace rrfp {

/// The words of one rank. Shared by all processes of the node: anyone rings, only the rank's own
/// listening thread sleeps.
struct Bell {
    futex::Word rings;   ///< counts; written by whoever rings
    futex::Word asleep;  ///< 1 while the owner sleeps or is about to; written by the owner
};

/// One bell a rank of the node, so that a thread with nothing to do can sleep and still notice at
/// once what another thread or process has done for it.
///
/// No ring is lost if the listener reads `rings()` before it looks for work and passes that number
/// to `sleep`: whatever was done before a ring it either found by looking, or the number differs.
/// Constructor and destructor are collective over the node.
class Doorbell {
  public:
    explicit Doorbell(const MpiSession& mpi);

    /// Wakes the listener of `world_rank`; does nothing when it lives on another node. About 10 ns
    /// when it is awake. Call it after what it shall notice. Thread-safe.
    void ring(int world_rank);
    /// Wakes this rank's listener. Thread-safe, and safe in a signal handler.
    void ring_own();

    /// Rings so far at this rank's bell.
    std::uint32_t rings() const;
    /// Sleeps until the count differs from `seen`, at most `timeout`. One thread a rank only.
    void sleep(std::uint32_t seen, std::chrono::nanoseconds timeout);

  private:
    const MpiSession& mpi_;
    NodeArray<Bell> bells_;
    Bell& own_;
};

}  // namespace rrfp
