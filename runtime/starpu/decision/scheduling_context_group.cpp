#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "runtime/starpu/decision/scheduling_context.h"
#include "runtime/system/monotonic_clock.h"

namespace rrfp {

void SchedulingContext::use_agreement(const std::function<void(Agreement&)>& use) {
    const std::lock_guard lock(mutex_);
    if (group_ != nullptr) use(group_->rules());
}

starpu_task* SchedulingContext::take_in_group(std::unique_lock<std::mutex>& lock, unsigned worker) {
    for (;;) {
        starpu_task* task = take(worker);
        if (suspended_) return task;
        in_group_ = true;
        bool heard = false;
        try {
            heard = group_->exchange(lock);
        } catch (...) {
            if (!lock.owns_lock()) lock.lock();
            suspend();
        }
        in_group_ = false;
        group_left_.notify_all();
        if (task != nullptr && label_of(task) != nullptr && group_ != nullptr) {
            group_->rules().dispatched(monotonic_ms());
        }
        if (task != nullptr || !heard || group_ == nullptr) return task;
    }
}

starpu_task* SchedulingContext::wait_in_group(std::unique_lock<std::mutex>& lock, unsigned worker,
                                              std::chrono::microseconds patience) {
    const Clock::time_point deadline = Clock::now() + patience;
    while (group_ != nullptr) {
        const std::uint32_t seen = group_->rings();
        starpu_task* task = take_in_group(lock, worker);
        const Clock::time_point now = Clock::now();
        if (task != nullptr || std::exchange(woken_, false) || now >= deadline) return task;
        if (group_ != nullptr) sleep_in_group(lock, seen, deadline - now);
    }
    return take(worker);
}

void SchedulingContext::sleep_in_group(std::unique_lock<std::mutex>& lock, std::uint32_t seen,
                                       std::chrono::nanoseconds longest) {
    GroupAgreement& group = *group_;
    in_group_ = true;
    // Without the lock, as in `sleep`.
    lock.unlock();
    starpu_worker_relax_on();
    const Clock::time_point begin = Clock::now();
    group.sleep(seen, longest);
    const double asleep_ms = milliseconds(Clock::now() - begin);
    starpu_worker_relax_off();
    lock.lock();
    measures_.asleep_ms += asleep_ms;
    ++measures_.sleeps;
    in_group_ = false;
    group_left_.notify_all();
}

void SchedulingContext::leave_group(std::unique_lock<std::mutex>& lock) {
    GroupAgreement* group = std::exchange(group_, nullptr);
    if (group == nullptr) return;
    group->ring_own();
    group_left_.wait(lock, [this] { return !in_group_; });
    // Its thread may be waiting for the lock, to look.
    lock.unlock();
    group->watch(nullptr);
    lock.lock();
}

void SchedulingContext::join_group(GroupAgreement* group) {
    int workers = 0;
    for (const Worker& worker : workers_) workers += worker.member ? 1 : 0;
    if (group != nullptr && workers != 1) {
        dispatcher_ = nullptr;
        throw std::logic_error(fmt::format(
            "ranks that agree have one worker each, and this context has {}; use one CPU worker, "
            "or a pipeline without agreement",
            workers));
    }
    group_ = group;
}

void SchedulingContext::look_in_group() {
    std::unique_lock lock(mutex_);
    if (group_ == nullptr || suspended_) return;
    try {
        group_->rules().look();
    } catch (...) {
        suspend();
    }
    report_fault(lock);
}

void SchedulingContext::ring() {
    if (group_ != nullptr) group_->ring_own();
}

}  // namespace rrfp
