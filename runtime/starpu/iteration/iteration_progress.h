#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/starpu/messages/parcel.h"

namespace rrfp {

/// How far a rank is in an iteration, and where its submitting thread sleeps meanwhile.
///
/// The submitting thread calls `begin` and `next`; workers, StarPU-MPI's thread and the delay timer
/// tell of what has ended. They notify under the lock and touch nothing of the runner afterwards,
/// so the submitting thread may destroy the runner as soon as `next` has said that all is done.
/// Nothing is called under the lock.
///
/// Where the submitting thread is also the worker it must not sleep here: it calls `poll` instead
/// of `next`, and `changed` wakes it wherever it sleeps.
class IterationProgress {
  public:
    /// `changed` is called, on the thread that brings the news, whenever `poll` has a new answer.
    /// Like the notification it must touch nothing of the runner. Call it before the first `begin`.
    void when_changed(void (*changed)()) { on_change_ = changed; }

    /// An iteration of `microbatches`, of which at most `window` have been submitted and not left;
    /// each ends after `work` tasks and sends. With the last one `beside` more tasks are submitted.
    void begin(int microbatches, int window, int work, int beside = 0);

    /// The microbatch to submit, as soon as the window admits one; nothing when all tasks and sends
    /// have ended. Throws the first failure as soon as there is one, but for microbatches that the
    /// window admits: their tasks hand it on, and other ranks wait for their messages.
    std::optional<int> next();

    /// What the submitting thread does now: submit a microbatch, or end, or neither for now.
    struct Step {
        std::optional<int> submit;
        bool ended = false;
    };
    /// As `next`, but never sleeps.
    Step poll();

    /// A task, one of those beside, or a send has ended; with `leaves_window`, its microbatch
    /// leaves the window.
    void ended(bool leaves_window);
    /// Keeps the first failure, as this rank throws it and as it travels with what later tasks
    /// send.
    void fail(std::exception_ptr error, std::shared_ptr<const RemoteFailure> remote);
    /// The failure that tasks hand on instead of a result.
    std::shared_ptr<const RemoteFailure> failure() const;

    /// Whether all that was submitted has ended.
    bool idle() const;
    /// Tasks and sends ended since the beginning, over all iterations.
    std::uint64_t total() const;

  private:
    /// Wakes the submitting thread and releases the lock.
    void announce(std::unique_lock<std::mutex>& lock);
    bool may_submit() const;
    bool all_ended() const { return ended_ == std::int64_t{microbatches_} * work_ + beside_; }

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    void (*on_change_)() = nullptr;
    int microbatches_ = 0;
    int window_ = 0;
    int work_ = 0;
    int beside_ = 0;
    int submitted_ = 0;
    int left_window_ = 0;
    std::int64_t ended_ = 0;
    std::uint64_t total_ = 0;
    std::exception_ptr error_;
    std::shared_ptr<const RemoteFailure> remote_;
};

}  // namespace rrfp
