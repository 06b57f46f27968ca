#include <algorithm>
#include <utility>

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
        note_event();
    }
    own_bell_.wake(true);
}

void SchedulingContext::limit_sleep(std::chrono::microseconds longest) {
    const std::lock_guard lock(mutex_);
    longest_sleep_ = longest;
}

void SchedulingContext::wake() {
    {
        const std::lock_guard lock(mutex_);
        woken_ = true;
        bell().ring();
    }
    own_bell_.wake(false);
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

WorkerBell& SchedulingContext::bell() {
    WorkerBell* const brought = decider_ ? decider_->bell() : nullptr;
    return brought != nullptr ? *brought : own_bell_;
}

starpu_task* SchedulingContext::wait(std::unique_lock<std::mutex>& lock, unsigned worker,
                                     Look look) {
    const Clock::time_point deadline = Clock::now() + patience(worker);
    for (;;) {
        const Clock::time_point now = Clock::now();
        // With another decider came another bell, whose count nobody has read yet.
        if (std::exchange(woken_, false) || now >= deadline || look.bell != &bell()) return nullptr;
        const std::uint64_t events = events_;
        sleep(lock, look, deadline - now);
        look = look_at_bell();
        starpu_task* task = take(lock, worker);
        // StarPU may have put something where only it looks. What other ranks ring for is none of
        // its business.
        if (task != nullptr || fault_ || events_ != events) return task;
    }
}

void SchedulingContext::sleep(std::unique_lock<std::mutex>& lock, Look look,
                              std::chrono::nanoseconds longest) {
    const Clock::time_point begin = Clock::now();
    bell().sleep(lock, look.rings, longest);
    measures_.asleep_ms += milliseconds(Clock::now() - begin);
    ++measures_.sleeps;
}

void SchedulingContext::note_event() {
    ++events_;
    bell().ring();
}

void SchedulingContext::announce(std::unique_lock<std::mutex>& lock) {
    note_event();
    // Where all workers are alike, any one of them can take what has come.
    const bool all = !alike_;
    lock.unlock();
    own_bell_.wake(all);
}

}  // namespace rrfp
