#pragma once

#include <algorithm>
#include <vector>

#include "runtime/core/task.h"

namespace rrfp {

/// Forwards dispatched at a rank whose backward was not: what the stages downstream live on.
/// Without the split that is D; with it D also holds those whose weight gradient is left.
class OpenForwards {
  public:
    void begin_iteration() { count_ = 0; }
    void dispatched(const Task& task) {
        if (task.kind == TaskKind::forward) {
            ++count_;
        } else if (task.kind == TaskKind::backward) {
            --count_;
        }
    }
    int count() const { return count_; }

    /// The most there are at a rank that follows `list`.
    static int peak(const std::vector<Task>& list) {
        OpenForwards open;
        int peak = 0;
        for (const Task& task : list) {
            open.dispatched(task);
            peak = std::max(peak, open.count());
        }
        return peak;
    }

  private:
    int count_ = 0;
};

}  // namespace rrfp
