#include "runtime/core/pipeline.h"

namespace rrfp {

int Pipeline::kinds() const {
    if (forward_only) {
        return 1;
    }
    return split_weight ? 3 : 2;
}

TaskKind Pipeline::release_kind() const { return static_cast<TaskKind>(kinds() - 1); }

int Pipeline::task_count(int rank) const { return kinds() * placement.chunks(rank) * microbatches; }

FewTasks Pipeline::predecessors(const Task& task) const {
    const auto [kind, stage, microbatch] = task;
    const Task forward{TaskKind::forward, stage, microbatch};
    switch (kind) {
        case TaskKind::forward:
            if (stage == 0) return {};
            return FewTasks({TaskKind::forward, stage - 1, microbatch});
        case TaskKind::backward:
            if (stage == last_stage()) return FewTasks(forward);
            return {forward, {TaskKind::backward, stage + 1, microbatch}};
        case TaskKind::weight_gradient:
            return FewTasks({TaskKind::backward, stage, microbatch});
    }
    return {};
}

FewTasks Pipeline::successors(const Task& task) const {
    const auto [kind, stage, microbatch] = task;
    FewTasks result;
    if (kind == TaskKind::forward) {
        if (stage < last_stage()) result.add({TaskKind::forward, stage + 1, microbatch});
        if (!forward_only) result.add({TaskKind::backward, stage, microbatch});
    } else if (kind == TaskKind::backward) {
        if (stage > 0) result.add({TaskKind::backward, stage - 1, microbatch});
        if (split_weight) result.add({TaskKind::weight_gradient, stage, microbatch});
    }
    return result;
}

bool Pipeline::crosses_ranks(const Task& from, const Task& to) const {
    return placement.rank_of(from.stage) != placement.rank_of(to.stage);
}

bool Pipeline::sends_message(const Task& task) const {
    if (task.kind == TaskKind::weight_gradient) {
        return false;
    }
    const int next = task.kind == TaskKind::forward ? task.stage + 1 : task.stage - 1;
    return next >= 0 && next <= last_stage() &&
           placement.rank_of(next) != placement.rank_of(task.stage);
}

}  // namespace rrfp
