#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "runtime/core/agreement/agreement.h"
#include "runtime/core/dispatcher.h"

namespace rrfp {

class WorkerBell;

/// Who decides what the labelled tasks of a scheduling context do: the rank's dispatcher alone, or
/// the ranks of a group that agree. The context calls it under its lock, unless said otherwise.
class Decider {
  public:
    virtual ~Decider() = default;

    virtual Dispatcher& dispatcher() = 0;
    virtual void ready(const Task& task) = 0;
    virtual void completed(const Task& task, double milliseconds) = 0;
    /// What the worker that asks runs next, committed; nothing means to wait.
    virtual std::optional<Task> next() = 0;
    /// Tells others what `next` left to tell, and hears them; may release `lock`, the context's,
    /// meanwhile. Called after each `next`; `dispatched` when the worker now runs what it returned.
    /// True when something was heard, so that the worker asks again.
    virtual bool exchange(std::unique_lock<std::mutex>& lock, bool dispatched) = 0;

    /// What the worker sleeps on where others than this process wake it; null for the context's
    /// own bell.
    virtual WorkerBell* bell() { return nullptr; }
    /// The rules of the group; null for a rank alone. A context with a group has one worker.
    virtual Agreement* agreement() { return nullptr; }

    /// It is in service: `look` may be called, by any thread and without the lock, when a decision
    /// ahead may have changed. Without the lock.
    virtual void join(std::function<void()> /*look*/) {}
    /// It is out of service. On return nothing of it is under way, `look` neither; may release
    /// `lock` meanwhile.
    virtual void leave(std::unique_lock<std::mutex>& /*lock*/) {}
};

}  // namespace rrfp
