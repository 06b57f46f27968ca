#include "runtime/starpu/decision/group_decider.h"

#include "runtime/starpu/decision/relaxed_worker.h"
#include "runtime/system/monotonic_clock.h"

namespace rrfp {

/// Begins and ends under the lock, which it takes again where an exception passes without it.
class GroupDecider::Visit {
  public:
    Visit(GroupDecider& decider, std::unique_lock<std::mutex>& lock)
        : decider_(decider), lock_(lock) {
        decider_.visited_ = true;
    }
    ~Visit() {
        if (!lock_.owns_lock()) lock_.lock();
        decider_.visited_ = false;
        decider_.left_.notify_all();
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

  private:
    GroupDecider& decider_;
    std::unique_lock<std::mutex>& lock_;
};

void GroupDecider::ready(const Task& task) { group_.rules().ready(task, monotonic_ms()); }

void GroupDecider::completed(const Task& task, double milliseconds) {
    group_.rules().completed(task, milliseconds);
}

std::optional<Task> GroupDecider::next() { return group_.rules().next(monotonic_ms()); }

bool GroupDecider::exchange(std::unique_lock<std::mutex>& lock, bool dispatched) {
    const Visit visit(*this, lock);
    const bool heard = group_.exchange(lock);
    if (dispatched) group_.rules().dispatched(monotonic_ms());
    return heard;
}

void GroupDecider::sleep(std::unique_lock<std::mutex>& lock, std::uint32_t seen,
                         std::chrono::nanoseconds longest) {
    const Visit visit(*this, lock);
    lock.unlock();
    const RelaxedWorker relaxed;
    group_.sleep(seen, longest);
}

void GroupDecider::leave(std::unique_lock<std::mutex>& lock) {
    group_.ring_own();
    left_.wait(lock, [this] { return !visited_; });
    // Its thread may be waiting for the lock, to look.
    lock.unlock();
    group_.watch(nullptr);
    lock.lock();
}

}  // namespace rrfp
