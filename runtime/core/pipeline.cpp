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

std::vector<Task> Pipeline::predecessors(const Task& task) const {
    const auto [kind, stage, microbatch] = task;
    switch (kind) {
        case TaskKind::forward:
            if (stage == 0) {
                return {};
            }
            return {{TaskKind::forward, stage - 1, microbatch}};
        case TaskKind::backward:
            if (stage == last_stage()) {
                return {{TaskKind::forward, stage, microbatch}};
            }
            return {{TaskKind::forward, stage, microbatch},
                    {TaskKind::backward, stage + 1, microbatch}};
        case TaskKind::weight_gradient:
            return {{TaskKind::backward, stage, microbatch}};
    }
    return {};
}

std::vector<Task> Pipeline::successors(const Task& task) const {
    const auto [kind, stage, microbatch] = task;
    std::vector<Task> result;
    if (kind == TaskKind::forward) {
        if (stage < last_stage()) {
            result.push_back({TaskKind::forward, stage + 1, microbatch});
        }
        if (!forward_only) {
            result.push_back({TaskKind::backward, stage, microbatch});
        }
    } else if (kind == TaskKind::backward) {
        if (stage > 0) {
            result.push_back({TaskKind::backward, stage - 1, microbatch});
        }
        if (split_weight) {
            result.push_back({TaskKind::weight_gradient, stage, microbatch});
        }
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
