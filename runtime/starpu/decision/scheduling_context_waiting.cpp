#include <algorithm>

#include "runtime/starpu/decision/scheduling_context.h"
#include "runtime/system/monotonic_clock.h"

namespace rrfp {
namespace {

using namespace std::chrono_literals;

// Between two looks at data requests, which an asynchronous worker serves between pops.
constexpr std::chrono::microseconds asynchronous_sleep = 1ms;
// Where work may come that nobody tells this context of: into another context of the worker, or
// into the worker's own queue, which StarPU announces shortly before.
constexpr std::chrono::microseconds attentive_sleep = 200us;
constexpr std::chrono::microseconds attention = 5ms;

}  // namespace

void SchedulingContext::expect_elsewhere() {
    {
        const std::lock_guard lock(mutex_);
        attentive_until_ = Clock::now() + attention;
        ++events_;
        ring();
    }
    event_.notify_all();
}

void SchedulingContext::limit_sleep(std::chrono::microseconds longest) {
    const std::lock_guard lock(mutex_);
    longest_sleep_ = longest;
}

void SchedulingContext::wake() {
    {
        const std::lock_guard lock(mutex_);
        woken_ = true;
        ring();
    }
    event_.notify_one();
}

std::chrono::microseconds SchedulingContext::patience(unsigned worker) const {
    const Worker& self = workers_[worker];
    // Its tasks end, and its data arrive, between pops.
    if (self.type != STARPU_CPU_WORKER) return self.running > 0 ? 0us : asynchronous_sleep;
    const bool elsewhere =
        Clock::now() < attentive_until_ ||
        starpu_sched_ctx_overlapping_ctxs_on_worker(static_cast<int>(worker)) != 0;
    // StarPU cannot wake a worker that sleeps in pop, for instance to shut down.
    return elsewhere ? std::min(attentive_sleep, longest_sleep_) : longest_sleep_;
}

void SchedulingContext::sleep(std::unique_lock<std::mutex>& lock,
                              std::chrono::microseconds patience) {
    const std::uint64_t seen = events_;
    // Both calls take the worker's lock, which StarPU also takes before it calls in elsewhere.
    lock.unlock();
    starpu_worker_relax_on();
    lock.lock();
    const Clock::time_point begin = Clock::now();
    event_.wait_for(lock, patience, [&] { return events_ != seen || woken_; });
    woken_ = false;
    measures_.asleep_ms += milliseconds(Clock::now() - begin);
    ++measures_.sleeps;
    lock.unlock();
    starpu_worker_relax_off();
    lock.lock();
}

void SchedulingContext::announce(std::unique_lock<std::mutex>& lock) {
    ++events_;
    ring();
    // Where all workers are alike, any one of them can take what has come.
    const bool one = alike_;
    lock.unlock();
    if (one) {
        event_.notify_one();
    } else {
        event_.notify_all();
    }
}

}  // namespace rrfp
