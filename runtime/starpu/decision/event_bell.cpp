#include "runtime/starpu/decision/event_bell.h"

#include "runtime/starpu/decision/relaxed_worker.h"

namespace rrfp {

void EventBell::wake(bool all) {
    if (all) {
        rung_.notify_all();
    } else {
        rung_.notify_one();
    }
}

void EventBell::sleep(std::unique_lock<std::mutex>& lock, std::uint32_t seen,
                      std::chrono::nanoseconds longest) {
    lock.unlock();
    {
        const RelaxedWorker relaxed;
        lock.lock();
        rung_.wait_for(lock, longest, [&] { return rings_ != seen; });
        lock.unlock();
    }
    lock.lock();
}

}  // namespace rrfp
