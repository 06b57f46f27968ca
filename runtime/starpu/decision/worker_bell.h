#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace rrfp {

/// What the idle workers of a scheduling context sleep on. No ring is lost: read `rings` before you
/// look for a task, and pass what you read to `sleep`.
class WorkerBell {
  public:
    virtual ~WorkerBell() = default;

    /// Under the context's lock, as `ring`.
    virtual std::uint32_t rings() const = 0;
    /// Something changed: whoever sleeps is to look again.
    virtual void ring() = 0;
    /// Ends the sleep of one worker, or of all, after a ring; without the lock.
    virtual void wake(bool all) = 0;
    /// A worker sleeps until the count differs from `seen`, at most `longest`. `lock`, the
    /// context's, is released meanwhile.
    virtual void sleep(std::unique_lock<std::mutex>& lock, std::uint32_t seen,
                       std::chrono::nanoseconds longest) = 0;
};

}  // namespace rrfp
