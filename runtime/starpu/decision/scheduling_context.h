#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <starpu.h>
#include <unordered_map>

#include "runtime/starpu/agreement/group_agreement.h"
#include "runtime/starpu/decision/arrival_queue.h"
#include "runtime/starpu/decision/policy_events.h"

namespace rrfp {

/// The policy's state in one StarPU scheduling context; StarPU owns it from init_sched to
/// deinit_sched, which comes after the context's last push and pop.
///
/// One lock guards it. It is held while the dispatcher decides, never while a worker sleeps, and
/// never while StarPU or a fault handler is called, but for `starpu_push_task_end` (which StarPU
/// wants under it) and questions about a worker; none of them takes a lock. StarPU
/// calls in with none of its own locks held. So this lock comes last.
///
/// No wake-up is lost: a pop remembers `events_` under the lock before it gives up, every push and
/// completion raises it under the lock before it notifies, and the sleep ends when it has changed.
///
/// How long a worker sleeps is told in scheduling_context_waiting.cpp.
/// With an agreement (scheduling_context_group.cpp) the worker sleeps on its bell instead, which
/// other processes ring, too; it reads the bell's count before it asks for a task.
class SchedulingContext {
  public:
    /// A ready task. Any thread.
    void push(starpu_task* task);
    /// The task that `worker` runs next, or nullptr after at most 100 ms (see `limit_sleep`). The
    /// first pop that finds nothing returns at once, so that StarPU notes the worker as idle; later
    /// ones sleep.
    starpu_task* pop(unsigned worker);
    /// `worker` is about to run a task.
    void started(unsigned worker);
    /// `task` has run on `worker`; its successors are not ready yet.
    void completed(unsigned worker, starpu_task* task);
    /// A task is about to enter a worker's own queue, past this policy.
    void expect_elsewhere();

    void add_workers(const int* workers, unsigned count);
    void remove_workers(const int* workers, unsigned count);

    void limit_sleep(std::chrono::microseconds longest);
    /// Ends a worker's sleep, or the next one if none sleeps.
    void wake();

    void attach(Dispatcher* dispatcher, DispatchFault fault, GroupAgreement* group = nullptr);
    void use(const std::function<void(Dispatcher&)>& use);
    void use_agreement(const std::function<void(Agreement&)>& use);
    PolicyMeasures measures() const;

  private:
    using Clock = std::chrono::steady_clock;

    struct Worker {
        bool member = false;
        starpu_worker_archtype type = STARPU_CPU_WORKER;
        int running = 0;            // tasks popped and not completed
        bool idle = false;          // the last pop found nothing
        Clock::time_point started;  // of the last task
    };

    starpu_task* take(unsigned worker);
    starpu_task* take_labelled(unsigned worker);
    starpu_task* take_unlabelled(unsigned worker);
    void make_ready(const Task& label, starpu_task* task);
    const Task* label_of(const starpu_task* task) const;
    /// How long an idle worker may sleep; zero where it must not.
    std::chrono::microseconds patience(unsigned worker) const;
    void sleep(std::unique_lock<std::mutex>& lock, std::chrono::microseconds patience);
    /// `take`, then tells the group, and takes again if the group had told something.
    starpu_task* take_in_group(std::unique_lock<std::mutex>& lock, unsigned worker);
    /// Sleeps and takes until there is a task, `wake` was called, or `patience` is over.
    starpu_task* wait_in_group(std::unique_lock<std::mutex>& lock, unsigned worker,
                               std::chrono::microseconds patience);
    void sleep_in_group(std::unique_lock<std::mutex>& lock, std::uint32_t seen,
                        std::chrono::nanoseconds longest);
    /// Waits until no call into the group is under way, and takes it out of service.
    void leave_group(std::unique_lock<std::mutex>& lock);
    void join_group(GroupAgreement* group);
    /// The next decision may have changed.
    void look_in_group();
    /// Wakes the worker that sleeps on its group's bell.
    void ring();
    /// Counts an event, releases the lock and wakes whoever could do something about it.
    void announce(std::unique_lock<std::mutex>& lock);
    bool workers_are_alike() const;
    /// Takes the dispatcher out of service because of the exception under way.
    void suspend();
    /// Hands a new fault to its handler, with the lock released meanwhile; then the labelled tasks
    /// are ordinary ones.
    void report_fault(std::unique_lock<std::mutex>& lock);
    bool out_of_service() const;
    void make_ordinary();

    mutable std::mutex mutex_;
    std::condition_variable event_;
    std::uint64_t events_ = 0;
    bool alike_ = true;
    bool woken_ = false;  // by `wake`; the next sleep takes it
    std::chrono::microseconds longest_sleep_ = std::chrono::milliseconds(100);
    Clock::time_point attentive_until_;
    std::array<Worker, STARPU_NMAXWORKERS> workers_;

    Dispatcher* dispatcher_ = nullptr;
    GroupAgreement* group_ = nullptr;
    bool in_group_ = false;  // the worker calls `group_` without the lock
    std::condition_variable group_left_;
    bool suspended_ = false;
    DispatchFault on_fault_;
    std::exception_ptr fault_;
    bool reporting_ = false;
    std::condition_variable reported_;
    std::unordered_map<Task, starpu_task*> labelled_;
    ArrivalQueue<starpu_task*> unlabelled_;
    PolicyMeasures measures_;
};

}  // namespace rrfp
