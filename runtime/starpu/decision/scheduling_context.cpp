#include "runtime/starpu/decision/scheduling_context.h"

#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "runtime/starpu/decision/task_label.h"
#include "runtime/system/monotonic_clock.h"

namespace rrfp {
namespace {

bool prepare(unsigned worker, starpu_task* task) {
    unsigned implementation = 0;
    if (starpu_worker_can_execute_task_first_impl(worker, task, &implementation) == 0) return false;
    starpu_task_set_implementation(task, implementation);
    return true;
}

}  // namespace

void SchedulingContext::push(starpu_task* task) {
    std::unique_lock lock(mutex_);
    const Task* label = label_of(task);
    if (label != nullptr && !out_of_service()) {
        make_ready(*label, task);
    } else {
        unlabelled_.push(task->priority, task);
    }
    starpu_push_task_end(task);
    report_fault(lock);
    announce(lock);
}

starpu_task* SchedulingContext::pop(unsigned worker) {
    std::unique_lock lock(mutex_);
    Worker& self = workers_[worker];
    starpu_task* task = group_ != nullptr ? take_in_group(lock, worker) : take(worker);
    if (task == nullptr && std::exchange(self.idle, true)) {
        if (const auto longest = patience(worker); longest.count() > 0) {
            if (group_ != nullptr) {
                task = wait_in_group(lock, worker, longest);
            } else {
                sleep(lock, longest);
                // A group may have been joined meanwhile.
                task = group_ != nullptr ? take_in_group(lock, worker) : take(worker);
            }
        }
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
    const Task* label = label_of(task);
    if (label == nullptr || suspended_) return;
    try {
        if (group_ != nullptr) {
            group_->rules().completed(*label, duration_ms);
        } else {
            dispatcher_->completed(*label, duration_ms);
        }
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
        ++events_;
        ring();
    }
    event_.notify_all();
}

void SchedulingContext::attach(Dispatcher* dispatcher, DispatchFault fault, GroupAgreement* group) {
    std::unique_lock lock(mutex_);
    leave_group(lock);
    reported_.wait(lock, [this] { return !reporting_; });
    dispatcher_ = dispatcher;
    on_fault_ = std::move(fault);
    fault_ = nullptr;
    suspended_ = false;
    make_ordinary();
    join_group(group);
    lock.unlock();
    event_.notify_all();
    if (group != nullptr) group->watch([this] { look_in_group(); });
}

void SchedulingContext::use(const std::function<void(Dispatcher&)>& use) {
    const std::lock_guard lock(mutex_);
    if (dispatcher_ != nullptr) use(*dispatcher_);
}

PolicyMeasures SchedulingContext::measures() const {
    const std::lock_guard lock(mutex_);
    return measures_;
}

starpu_task* SchedulingContext::take(unsigned worker) {
    if (starpu_task* task = take_labelled(worker)) return task;
    return unlabelled_.empty() ? nullptr : take_unlabelled(worker);
}

starpu_task* SchedulingContext::take_labelled(unsigned worker) {
    if (dispatcher_ == nullptr || suspended_) return nullptr;
    try {
        const std::optional<Task> choice =
            group_ != nullptr ? group_->rules().next(monotonic_ms()) : dispatcher_->choose();
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

starpu_task* SchedulingContext::take_unlabelled(unsigned worker) {
    return unlabelled_.pop([worker](starpu_task* task) { return prepare(worker, task); });
}

void SchedulingContext::make_ready(const Task& label, starpu_task* task) {
    labelled_.emplace(label, task);
    if (suspended_) return;  // until the fault is reported
    try {
        if (group_ != nullptr) {
            group_->rules().ready(label, monotonic_ms());
        } else {
            dispatcher_->ready(label);
        }
    } catch (...) {
        suspend();
    }
}

const Task* SchedulingContext::label_of(const starpu_task* task) const {
    // Without a dispatcher, sched_data is some other program's, and may point to anything.
    if (dispatcher_ == nullptr || task->sched_data == nullptr) return nullptr;
    const auto* label = static_cast<const TaskLabel*>(task->sched_data);
    return label->magic == TaskLabel::magic_value ? &label->task : nullptr;
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
    suspended_ = true;
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
    event_.notify_all();
}

bool SchedulingContext::out_of_service() const { return suspended_ && !fault_ && !reporting_; }

void SchedulingContext::make_ordinary() {
    for (const auto& [label, task] : labelled_) unlabelled_.push(task->priority, task);
    labelled_.clear();
    ++events_;
    ring();
}

}  // namespace rrfp
