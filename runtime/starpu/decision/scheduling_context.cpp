#include "runtime/starpu/decision/scheduling_context.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "runtime/system/monotonic_clock.h"

namespace rrfp {
namespace {

using TaskQueue = ArrivalQueue<starpu_task*>;

bool prepare(unsigned worker, starpu_task* task) {
    unsigned implementation = 0;
    if (starpu_worker_can_execute_task_first_impl(worker, task, &implementation) == 0) return false;
    starpu_task_set_implementation(task, implementation);
    return true;
}

/// The first task of `queue` that `worker` can run.
starpu_task* take_from(TaskQueue& queue, unsigned worker) {
    return queue.pop([worker](starpu_task* task) { return prepare(worker, task); });
}

}  // namespace

void SchedulingContext::push(starpu_task* task) {
    std::unique_lock lock(mutex_);
    const TaskLabel* label = label_of(task);
    if (label == nullptr || out_of_service()) {
        unlabelled_.push(task->priority, task);
    } else if (label->urgent) {
        urgent_.push(task->priority, task);
    } else {
        make_ready(label->task, task);
    }
    starpu_push_task_end(task);
    report_fault(lock);
    announce(lock);
}

starpu_task* SchedulingContext::pop(unsigned worker) {
    std::unique_lock lock(mutex_);
    Worker& self = workers_[worker];
    const Look look = look_at_bell();
    starpu_task* task = take(lock, worker);
    if (task == nullptr && std::exchange(self.idle, true) && !fault_) {
        task = wait(lock, worker, look);
    }
    if (task != nullptr) {
        self.idle = false;
        ++self.running;
        ++measures_.dispatched;
    }
    report_fault(lock);
    return task;
}

void SchedulingContext::started(unsigned worker) {
    const std::lock_guard lock(mutex_);
    workers_[worker].started = Clock::now();
}

void SchedulingContext::completed(unsigned worker, starpu_task* task) {
    std::unique_lock lock(mutex_);
    Worker& self = workers_[worker];
    const double duration_ms = milliseconds(Clock::now() - self.started);
    measures_.busy_ms += duration_ms;
    // A task of the worker's own queue was not popped here.
    if (self.running > 0) --self.running;
    const TaskLabel* label = label_of(task);
    if (label == nullptr || label->urgent || suspended_) return;
    try {
        decider_->completed(label->task, duration_ms);
    } catch (...) {
        suspend();
    }
    report_fault(lock);
    announce(lock);
}

void SchedulingContext::add_workers(const int* workers, unsigned count) {
    const std::lock_guard lock(mutex_);
    for (unsigned i = 0; i < count; ++i) {
        workers_.at(static_cast<std::size_t>(workers[i])) = {
            .member = true, .type = starpu_worker_get_type(workers[i]), .started = Clock::now()};
    }
    alike_ = workers_are_alike();
}

void SchedulingContext::remove_workers(const int* workers, unsigned count) {
    {
        const std::lock_guard lock(mutex_);
        for (unsigned i = 0; i < count; ++i) {
            workers_.at(static_cast<std::size_t>(workers[i])) = {};
        }
        alike_ = workers_are_alike();
        note_event();
    }
    own_bell_.wake(true);
}

void SchedulingContext::attach(std::unique_ptr<Decider> decider, DispatchFault fault) {
    std::unique_lock lock(mutex_);
    if (const auto before = std::exchange(decider_, nullptr)) before->leave(lock);
    reported_.wait(lock, [this] { return !reporting_; });
    on_fault_ = std::move(fault);
    fault_ = nullptr;
    suspended_ = false;
    make_ordinary();
    if (decider && decider->agreement() != nullptr && members() != 1) {
        throw std::logic_error(fmt::format(
            "ranks that agree have one worker each, and this context has {}; use one CPU worker, "
            "or a pipeline without agreement",
            members()));
    }
    decider_ = std::move(decider);
    Decider* const now = decider_.get();
    lock.unlock();
    own_bell_.wake(true);
    if (now != nullptr) now->join([this] { look_again(); });
}

bool SchedulingContext::use(std::chrono::milliseconds patience,
                            const std::function<void(Dispatcher&, Agreement*)>& use) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    const Clock::time_point deadline = Clock::now() + patience;
    while (!lock.owns_lock() && Clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        static_cast<void>(lock.try_lock());
    }
    if (lock.owns_lock() && decider_) use(decider_->dispatcher(), decider_->agreement());
    return lock.owns_lock();
}

PolicyMeasures SchedulingContext::measures() const {
    const std::lock_guard lock(mutex_);
    return measures_;
}

starpu_task* SchedulingContext::take(std::unique_lock<std::mutex>& lock, unsigned worker) {
    for (;;) {
        if (starpu_task* task = take_from(urgent_, worker)) return task;
        starpu_task* task = take_labelled(worker);
        const bool dispatched = task != nullptr;
        if (task == nullptr) task = take_from(unlabelled_, worker);
        if (!decider_ || suspended_) return task;
        bool heard = false;
        try {
            heard = decider_->exchange(lock, dispatched);
        } catch (...) {
            suspend();
        }
        if (task != nullptr || !heard || !decider_) return task;
    }
}

starpu_task* SchedulingContext::take_labelled(unsigned worker) {
    if (!decider_ || suspended_) return nullptr;
    try {
        const std::optional<Task> choice = decider_->next();
        if (!choice) return nullptr;
        starpu_task* task = labelled_.extract(*choice).mapped();
        if (!prepare(worker, task)) {
            throw std::logic_error(fmt::format(
                "worker {} cannot run {}: the workers of a pipeline's context must all be able to",
                worker, to_action(*choice)));
        }
        return task;
    } catch (...) {
        suspend();
        return nullptr;
    }
}

void SchedulingContext::make_ready(const Task& label, starpu_task* task) {
    const bool known = !labelled_.emplace(label, task).second;
    if (known) unlabelled_.push(task->priority, task);  // it must end, whoever submitted it
    if (suspended_) return;                             // until the fault is reported
    try {
        if (known) {
            throw std::logic_error(fmt::format(
                "two tasks are labelled {}; a label names one task at a time", to_action(label)));
        }
        decider_->ready(label);
    } catch (...) {
        suspend();
    }
}

const TaskLabel* SchedulingContext::label_of(const starpu_task* task) const {
    // Without a decider, sched_data is some other program's, and may point to anything.
    if (!decider_ || task->sched_data == nullptr) return nullptr;
    const auto* label = static_cast<const TaskLabel*>(task->sched_data);
    return label->magic == TaskLabel::magic_value ? label : nullptr;
}

void SchedulingContext::look_again() {
    std::unique_lock lock(mutex_);
    if (!decider_ || decider_->agreement() == nullptr || suspended_) return;
    try {
        decider_->agreement()->look();
    } catch (...) {
        suspend();
    }
    report_fault(lock);
}

int SchedulingContext::members() const {
    return static_cast<int>(
        std::ranges::count_if(workers_, [](const Worker& worker) { return worker.member; }));
}

bool SchedulingContext::workers_are_alike() const {
    std::optional<starpu_worker_archtype> type;
    for (const Worker& worker : workers_) {
        if (!worker.member) continue;
        if (worker.type != type.value_or(worker.type)) return false;
        type = worker.type;
    }
    return true;
}

void SchedulingContext::suspend() {
    // One fault for one decider: a handler may be at work while a second one would be made.
    if (std::exchange(suspended_, true)) return;
    fault_ = std::current_exception();
}

void SchedulingContext::report_fault(std::unique_lock<std::mutex>& lock) {
    if (!fault_) return;
    reporting_ = true;
    const std::exception_ptr error = std::exchange(fault_, nullptr);
    if (on_fault_) {
        lock.unlock();
        on_fault_(error);
        lock.lock();
    }
    reporting_ = false;
    make_ordinary();
    reported_.notify_all();
    own_bell_.wake(true);
}

bool SchedulingContext::out_of_service() const { return suspended_ && !fault_ && !reporting_; }

void SchedulingContext::make_ordinary() {
    for (const auto& [label, task] : labelled_) unlabelled_.push(task->priority, task);
    labelled_.clear();
    while (starpu_task* task = urgent_.pop([](starpu_task*) { return true; })) {
        unlabelled_.push(task->priority, task);
    }
    note_event();
}

}  // namespace rrfp
