#pragma once

#include <algorithm>
#include <optional>

namespace rrfp {

/// Adds up coordination time: from the moment a task is ready on all ranks of the scope and the
/// worker has asked for one, until its dispatch. What comes before that moment is blocking.
class Coordination {
  public:
    void reset() { *this = {}; }
    /// The free worker asks, and a decision is there for it, or not; only the first time since the
    /// last dispatch counts.
    void asked(double now_ms, bool decided) {
        if (asked_ms_) return;
        asked_ms_ = now_ms;
        ahead_ = decided;
    }
    /// Whether the worker has asked since the last dispatch.
    bool waiting() const { return asked_ms_.has_value(); }
    /// When it first asked; `asked` comes before.
    double asked_ms() const { return *asked_ms_; }
    /// The task that is dispatched next became ready everywhere at `everywhere_ms`, or is taken to
    /// take no coordination where that is unknown.
    void decided(std::optional<double> everywhere_ms) { everywhere_ms_ = everywhere_ms; }
    /// Whether what was decided was there when the worker first asked.
    bool ahead() const { return ahead_; }
    /// The dispatch; returns what it adds.
    double dispatched(double now_ms) {
        const double since_ms = everywhere_ms_ ? std::max(*asked_ms_, *everywhere_ms_) : now_ms;
        const double added_ms = std::max(0.0, now_ms - since_ms);
        total_ms_ += added_ms;
        asked_ms_.reset();
        return added_ms;
    }
    double total_ms() const { return total_ms_; }

  private:
    std::optional<double> asked_ms_;
    std::optional<double> everywhere_ms_;
    bool ahead_ = false;
    double total_ms_ = 0;
};

}  // namespace rrfp
