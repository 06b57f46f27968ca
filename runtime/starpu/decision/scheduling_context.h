#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <starpu.h>
#include <unordered_map>

#include "runtime/starpu/decision/arrival_queue.h"
#include "runtime/starpu/decision/decider.h"
#include "runtime/starpu/decision/event_bell.h"
#include "runtime/starpu/decision/policy_events.h"
#include "runtime/starpu/decision/task_label.h"

namespace rrfp {

/// The policy's state in one StarPU scheduling context; StarPU owns it from init_sched to
/// deinit_sched, which comes after the context's last push and pop.
///
/// One lock guards it. It is held while the decider decides, never while a worker sleeps, and
/// never while StarPU or a fault handler is called, but for `starpu_push_task_end` (which StarPU
/// wants under it) and questions about a worker; none of them takes a lock. StarPU
/// calls in with none of its own locks held. So this lock comes last.
///
/// No wake-up is lost: a pop reads the bell's count before it looks for a task, every event rings
/// under the lock, and the sleep ends when the count has changed. How long a worker sleeps is told
/// in scheduling_context_waiting.cpp.
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

    /// Puts `decider` in service, nullptr for none, and waits for the end of all calls into the one
    /// before. Throws std::logic_error for a group in a context that has not one worker.
    void attach(std::unique_ptr<Decider> decider, DispatchFault fault);
    /// See `with_dispatcher`.
    bool use(std::chrono::milliseconds patience,
             const std::function<void(Dispatcher&, Agreement*)>& use);
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

    /// What a worker knew of its bell when it looked for a task.
    struct Look {
        const WorkerBell* bell = nullptr;
        std::uint32_t rings = 0;
    };

    /// Asks until there is a task or nothing was heard; may release the lock meanwhile.
    starpu_task* take(std::unique_lock<std::mutex>& lock, unsigned worker);
    starpu_task* take_labelled(unsigned worker);
    void make_ready(const Task& label, starpu_task* task);
    const TaskLabel* label_of(const starpu_task* task) const;
    /// Another thread tells of a change in the decider's group.
    void look_again();

    WorkerBell& bell();
    Look look_at_bell() { return {.bell = &bell(), .rings = bell().rings()}; }
    /// How long an idle worker may sleep; zero where it must not.
    std::chrono::microseconds patience(unsigned worker) const;
    /// Sleeps and takes until there is a task, something happened in this context, `wake` was
    /// called, or the worker's patience is over.
    starpu_task* wait(std::unique_lock<std::mutex>& lock, unsigned worker, Look look);
    void sleep(std::unique_lock<std::mutex>& lock, Look look, std::chrono::nanoseconds longest);
    /// Counts an event, under the lock.
    void note_event();
    /// Counts an event, releases the lock and wakes whoever could do something about it.
    void announce(std::unique_lock<std::mutex>& lock);
    int members() const;
    bool workers_are_alike() const;
    /// Takes the decider out of service because of the exception under way.
    void suspend();
    /// Hands a new fault to its handler, with the lock released meanwhile; then the labelled tasks
    /// are ordinary ones.
    void report_fault(std::unique_lock<std::mutex>& lock);
    bool out_of_service() const;
    void make_ordinary();

    mutable std::mutex mutex_;
    EventBell own_bell_;  // where the decider brings none
    std::uint64_t events_ = 0;
    bool alike_ = true;
    bool woken_ = false;  // by `wake`; the next sleep takes it
    std::chrono::microseconds longest_sleep_ = std::chrono::milliseconds(100);
    Clock::time_point attentive_until_;
    std::array<Worker, STARPU_NMAXWORKERS> workers_;

    std::unique_ptr<Decider> decider_;
    bool suspended_ = false;
    DispatchFault on_fault_;
    std::exception_ptr fault_;
    bool reporting_ = false;
    std::condition_variable reported_;
    std::unordered_map<Task, starpu_task*> labelled_;
    ArrivalQueue<starpu_task*> urgent_;
    ArrivalQueue<starpu_task*> unlabelled_;
    PolicyMeasures measures_;
};

}  // namespace rrfp
