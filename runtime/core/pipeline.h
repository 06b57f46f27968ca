#pragma once

#include <vector>

#include "runtime/core/few_tasks.h"
#include "runtime/core/placement.h"
#include "runtime/core/task.h"

namespace rrfp {

/// The shape of one iteration: the placement, how many microbatches pass, and whether weight
/// gradients are tasks of their own. It knows who precedes whom; it holds no progress.
struct Pipeline {
    Placement placement;
    int microbatches = 1;
    bool split_weight = false;
    /// Evaluation: the iteration holds forwards alone, and a completed forward is a release.
    bool forward_only = false;

    int last_stage() const { return placement.stages() - 1; }
    /// How many kinds of task an iteration holds: kinds 0..kinds()-1.
    int kinds() const;
    /// The kind whose completion ends a microbatch's stay at a rank and lowers D.
    TaskKind release_kind() const;
    /// Tasks of one iteration at `rank`.
    int task_count(int rank) const;
    /// The tasks whose results `task` reads: F(s) reads F(s-1); B(s) reads F(s) and B(s+1); W(s)
    /// reads B(s). Stage 0's forward has none.
    FewTasks predecessors(const Task& task) const;
    /// The tasks that read the result of `task`.
    FewTasks successors(const Task& task) const;
    /// Whether the result of `from` reaches `to` over a link between two ranks.
    bool crosses_ranks(const Task& from, const Task& to) const;
    /// Whether the result of `task` leaves its rank in a message: towards the next stage for a
    /// forward, the previous one for a backward.
    bool sends_message(const Task& task) const;
};

/// A preference over tasks for each rank: entry r lists the tasks of rank r, most wanted first.
using HintOrder = std::vector<std::vector<Task>>;

}  // namespace rrfp
