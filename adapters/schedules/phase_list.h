#pragma once

#include <utility>
#include <vector>

#include "runtime/core/task.h"

namespace rrfp {

/// A rank's list, written kind by kind: it counts microbatches on its own, and leaves out those
/// beyond the iteration's last, so that a schedule drawn for more microbatches can be cut to fewer.
/// (What is left of an order that ends, ends: microbatches do not depend on each other.)
class PhaseList {
  public:
    PhaseList(int stages, int microbatches)
        : microbatches_(microbatches), next_(static_cast<std::size_t>(stages) * task_kinds) {}

    /// Appends the next microbatch of `kind` on `stage`.
    void add(TaskKind kind, int stage) {
        const int microbatch = next_[slot(kind, stage)]++;
        if (microbatch < microbatches_) {
            tasks_.push_back({kind, stage, microbatch});
        }
    }
    void forward(int stage) { add(TaskKind::forward, stage); }
    void backward(int stage) { add(TaskKind::backward, stage); }
    void weight_gradient(int stage) { add(TaskKind::weight_gradient, stage); }
    /// How many microbatches of `kind` on `stage` have been added, those left out included.
    int count(TaskKind kind, int stage) const { return next_[slot(kind, stage)]; }

    std::vector<Task> take() { return std::move(tasks_); }

  private:
    static std::size_t slot(TaskKind kind, int stage) {
        return static_cast<std::size_t>(stage) * task_kinds + static_cast<std::size_t>(kind);
    }

    int microbatches_;
    std::vector<int> next_;
    std::vector<Task> tasks_;
};

}  // namespace rrfp
