#pragma once

#include <algorithm>
#include <optional>

namespace rrfp {

/// Adds up coordination time: from the moment a task is ready on all ranks of the scope and the
/// worker has asked for one, until its dispatch. What comes before that moment is blocking.
class Coordination {
  public:
    void reset() { *this = {}; }
    /// The free worker asks; only the first time since the last dispatch counts.
    void asked(double now_ms) {
        if (!asked_ms_) asked_ms_ = now_ms;
    }
    /// When the free worker first asked; `asked` comes before.
    double asked_ms() const { return *asked_ms_; }
    void dispatched(double now_ms, double ready_everywhere_ms) {
        total_ms_ += std::max(0.0, now_ms - std::max(*asked_ms_, ready_everywhere_ms));
        asked_ms_.reset();
    }
    double total_ms() const { return total_ms_; }
    /// Whether the worker has asked since the last dispatch.
    bool waiting() const { return asked_ms_.has_value(); }

  private:
    std::optional<double> asked_ms_;
    double total_ms_ = 0;
};

}  // namespace rrfp
