#pragma once

#include <condition_variable>

#include "runtime/starpu/decision/worker_bell.h"

namespace rrfp {

/// The bell of a context whose workers nobody outside this process wakes. Any number of workers.
class EventBell final : public WorkerBell {
  public:
    std::uint32_t rings() const override { return rings_; }
    void ring() override { ++rings_; }
    void wake(bool all) override;
    void sleep(std::unique_lock<std::mutex>& lock, std::uint32_t seen,
               std::chrono::nanoseconds longest) override;

  private:
    std::uint32_t rings_ = 0;  // under the context's lock
    std::condition_variable rung_;
};

}  // namespace rrfp
