#include "runtime/core/filters/determinism.h"

namespace rrfp {

void Determinism::restrict(const RankState& state, Admission& admission) const {
    for (const TaskKind kind : {TaskKind::backward, TaskKind::weight_gradient}) {
        for (int chunk = 0; chunk < state.chunks(); ++chunk) {
            admission.limit(kind, chunk, state.next_undispatched(kind, chunk) + 1);
        }
    }
    if (state.chunks() == 1) {
        const int due = state.next_undispatched(state.pipeline().release_kind(), 0);
        admission.limit(TaskKind::forward, 0, due + limit_);
    }
}

}  // namespace rrfp
