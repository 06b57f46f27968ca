#include "runtime/core/filters/window_admission.h"

#include <algorithm>

namespace rrfp {

WindowAdmission::WindowAdmission(const Pipeline& pipeline, int rank, const std::vector<Task>& list,
                                 int limit)
    : limit_(limit), ends_(pipeline.placement.chunks(rank), std::vector<int>{0}) {
    for (const Task& task : list) {
        if (task.kind != TaskKind::forward) {
            continue;
        }
        ++forwards_;
        for (auto& ends : ends_) {
            ends.push_back(ends.back());
        }
        ++ends_[pipeline.placement.chunk_of(task.stage)].back();
    }
}

void WindowAdmission::restrict(const RankState& state, Admission& admission) const {
    // Unlike a sum, this cannot overflow: a limit may be any positive number.
    const int open = limit_ < forwards_ - state.released() ? state.released() + limit_ : forwards_;
    for (int chunk = 0; chunk < state.chunks(); ++chunk) {
        admission.limit(TaskKind::forward, chunk, ends_[chunk][open]);
    }
}

}  // namespace rrfp
