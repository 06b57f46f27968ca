#pragma once

#include "runtime/core/rank_state.h"

namespace rrfp {

/// Numbers the tasks of a rank's iteration 0..size()-1, equally at all ranks that hold the same
/// stages. References a state, which must outlive it.
class TaskIndex {
  public:
    explicit TaskIndex(const RankState& state)
        : state_(state), microbatches_(state.pipeline().microbatches) {}

    int size() const { return state_.pipeline().kinds() * state_.chunks() * microbatches_; }
    /// `task` must be local to the rank.
    int of(const Task& task) const {
        const int slot = static_cast<int>(task.kind) * state_.chunks() + state_.chunk_of(task);
        return slot * microbatches_ + task.microbatch;
    }
    Task task(int index) const {
        const int slot = index / microbatches_;
        return state_.task(static_cast<TaskKind>(slot / state_.chunks()), slot % state_.chunks(),
                           index % microbatches_);
    }

  private:
    const RankState& state_;
    int microbatches_;
};

}  // namespace rrfp
