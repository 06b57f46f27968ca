#include "runtime/starpu/iteration/iteration_progress.h"

#include <stdexcept>
#include <utility>

namespace rrfp {

void IterationProgress::begin(int microbatches, int window, int work, int beside) {
    const std::lock_guard lock(mutex_);
    if (error_) throw std::logic_error("an iteration failed before: nothing can run any more");
    microbatches_ = microbatches;
    window_ = window;
    work_ = work;
    beside_ = beside;
    submitted_ = 0;
    left_window_ = 0;
    ended_ = 0;
}

std::optional<int> IterationProgress::next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return error_ || may_submit() || all_ended(); });
    if (may_submit()) return submitted_++;
    if (error_) std::rethrow_exception(error_);
    return std::nullopt;
}

IterationProgress::Step IterationProgress::poll() {
    const std::lock_guard lock(mutex_);
    if (may_submit()) return {.submit = submitted_++};
    if (error_) std::rethrow_exception(error_);
    return {.submit = std::nullopt, .ended = all_ended()};
}

void IterationProgress::ended(bool leaves_window) {
    std::unique_lock lock(mutex_);
    ++ended_;
    ++total_;
    if (leaves_window) ++left_window_;
    if ((leaves_window && may_submit()) || all_ended()) announce(lock);
}

void IterationProgress::fail(std::exception_ptr error,
                             std::shared_ptr<const RemoteFailure> remote) {
    std::unique_lock lock(mutex_);
    if (error_) return;
    error_ = std::move(error);
    remote_ = std::move(remote);
    announce(lock);
}

std::shared_ptr<const RemoteFailure> IterationProgress::failure() const {
    const std::lock_guard lock(mutex_);
    return remote_;
}

bool IterationProgress::idle() const {
    const std::lock_guard lock(mutex_);
    const int beside = submitted_ == microbatches_ ? beside_ : 0;
    return ended_ == std::int64_t{submitted_} * work_ + beside;
}

std::uint64_t IterationProgress::total() const {
    const std::lock_guard lock(mutex_);
    return total_;
}

void IterationProgress::announce(std::unique_lock<std::mutex>& lock) {
    changed_.notify_one();
    // With the lock goes the right to touch this object.
    void (*const on_change)() = on_change_;
    lock.unlock();
    if (on_change != nullptr) on_change();
}

bool IterationProgress::may_submit() const {
    return submitted_ < microbatches_ && submitted_ - left_window_ < window_;
}

}  // namespace rrfp
