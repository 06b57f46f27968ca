#include "runtime/core/arbiters/hint_positions.h"

#include <algorithm>

namespace rrfp {

HintPositions::HintPositions(const ArbiterSetup& setup)
    : list_(setup.hint),
      placement_(setup.pipeline.placement),
      chunks_(placement_.chunks(setup.rank)),
      microbatches_(setup.pipeline.microbatches),
      positions_(static_cast<std::size_t>(task_kinds) * chunks_ * microbatches_),
      ready_(static_cast<std::size_t>(task_kinds) * chunks_, PositionIndex(size())) {
    for (int index = 0; index < size(); ++index) {
        const Task& entry = list_[index];
        positions_[slot(entry) * microbatches_ + entry.microbatch] = index;
    }
}

void HintPositions::clear() {
    std::for_each(ready_.begin(), ready_.end(), [](PositionIndex& index) { index.clear(); });
}

void HintPositions::insert(const Task& task) {
    ready_[slot(task)].insert(position(task), task.microbatch);
}

void HintPositions::erase(const Task& task) { ready_[slot(task)].erase(position(task)); }

std::optional<int> HintPositions::first(const Candidates& candidates, TaskKind kind) const {
    std::optional<int> best;
    for (int chunk = 0; chunk < chunks_; ++chunk) {
        const auto found = first(candidates, kind, chunk);
        if (found && (!best || *found < *best)) {
            best = found;
        }
    }
    return best;
}

int HintPositions::position(const Task& task) const {
    return positions_[slot(task) * microbatches_ + task.microbatch];
}

std::optional<int> HintPositions::first(const Candidates& candidates, TaskKind kind,
                                        int chunk) const {
    const auto& only = candidates.admission().only();
    if (only && kind != TaskKind::weight_gradient) {
        const bool here = only->kind == kind && placement_.chunk_of(only->stage) == chunk;
        return here && candidates.contains(*only) ? std::optional(position(*only)) : std::nullopt;
    }
    return ready_[static_cast<std::size_t>(kind) * chunks_ + chunk].first(
        candidates.admission().end(kind, chunk));
}

std::size_t HintPositions::slot(const Task& task) const {
    return static_cast<std::size_t>(task.kind) * chunks_ + placement_.chunk_of(task.stage);
}

}  // namespace rrfp
