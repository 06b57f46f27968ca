#include "runtime/starpu/decision/scheduling_context.h"

#include <algorithm>
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
    const Look look = look_at_bell();
    starpu_task* task = take(lock, worker);
    if (task == nullptr && std::exchange(self.idle, true)) task = wait(lock, worker, look);
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
        decider_->completed(*label, duration_ms);
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

void SchedulingContext::use(const std::function<void(Dispatcher&)>& use) {
    const std::lock_guard lock(mutex_);
    if (decider_) use(decider_->dispatcher());
}

void SchedulingContext::use_agreement(const std::function<void(Agreement&)>& use) {
    const std::lock_guard lock(mutex_);
    if (decider_ && decider_->agreement() != nullptr) use(*decider_->agreement());
}

PolicyMeasures SchedulingContext::measures() const {
    const std::lock_guard lock(mutex_);
    return measures_;
}

starpu_task* SchedulingContext::take(std::unique_lock<std::mutex>& lock, unsigned worker) {
    for (;;) {
        starpu_task* task = take_labelled(worker);
        const bool dispatched = task != nullptr;
        if (task == nullptr && !unlabelled_.empty()) task = take_unlabelled(worker);
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

starpu_task* SchedulingContext::take_unlabelled(unsigned worker) {
    return unlabelled_.pop([worker](starpu_task* task) { return prepare(worker, task); });
}

void SchedulingContext::make_ready(const Task& label, starpu_task* task) {
    labelled_.emplace(label, task);
    if (suspended_) return;  // until the fault is reported
    try {
        decider_->ready(label);
    } catch (...) {
        suspend();
    }
}

const Task* SchedulingContext::label_of(const starpu_task* task) const {
    // Without a decider, sched_data is some other program's, and may point to anything.
    if (!decider_ || task->sched_data == nullptr) return nullptr;
    const auto* label = static_cast<const TaskLabel*>(task->sched_data);
    return label->magic == TaskLabel::magic_value ? &label->task : nullptr;
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
    own_bell_.wake(true);
}

bool SchedulingContext::out_of_service() const { return suspended_ && !fault_ && !reporting_; }

void SchedulingContext::make_ordinary() {
    for (const auto& [label, task] : labelled_) unlabelled_.push(task->priority, task);
    labelled_.clear();
    note_event();
}

}  // namespace rrfp
