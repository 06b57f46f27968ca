#pragma once

#include <cstddef>
#include <mutex>

#include "runtime/core/metrics.h"

namespace rrfp {

/// Counts what the four buffers hold. Worker, StarPU-MPI's thread and the delay timer enter and
/// leave; its lock is taken last and nothing is called under it.
class BufferAccounts {
  public:
    void enter(BufferKind kind, std::size_t bytes);
    void leave(BufferKind kind, std::size_t bytes);
    /// Starts new high waters from what is held now.
    void begin_iteration();
    Buffers read() const;

  private:
    mutable std::mutex mutex_;
    Buffers buffers_;
};

}  // namespace rrfp
