#pragma once

#include <optional>
#include <string_view>

#include "runtime/core/filter.h"

namespace rrfp {

/// Chooses one of the ready tasks, or to wait.
///
/// `choose` is a pure function of the candidates and of what the arbiter has been told: a choice
/// that is not followed by `dispatched` (the ranks of a group did not agree) leaves no trace.
/// Calls are serialised by the owner.
class Arbiter {
  public:
    virtual ~Arbiter() = default;

    virtual std::string_view name() const = 0;
    virtual void begin_iteration() {}
    /// `task` has joined the ready set.
    virtual void ready(const Task& /*task*/) {}
    /// The task to run, which must be one of `candidates`; nothing means: wait for an event.
    virtual std::optional<Task> choose(const Candidates& candidates) = 0;
    /// `task` was dispatched.
    virtual void dispatched(const Task& /*task*/) {}
    /// `task` has run, for so long from its start to its end.
    virtual void completed(const Task& /*task*/, double /*milliseconds*/) {}
    /// Whether filters apply. A fixed order is exempt: its memory is that of its list.
    virtual bool filtered() const { return true; }
    /// Whether the arbiter places weight gradients itself. Where not, they run when it waits.
    virtual bool ranks_weight_gradients() const { return false; }
};

}  // namespace rrfp
