#include "runtime/core/filters/graded_admission.h"

#include <algorithm>

namespace rrfp {
namespace {

/// One past the span of `chunk`: from the next release due to the last forward dispatched.
int end_of_span(const RankState& state, int due, int chunk) {
    return std::max(due, state.dispatched_end(TaskKind::forward, chunk));
}

}  // namespace

void GradedAdmission::restrict(const RankState& state, Admission& admission) const {
    if (in_order_) {
        restrict_in_order(state, admission);
        return;
    }
    for (int chunk = 0; chunk < state.chunks(); ++chunk) {
        const int kept = state.chunks() - 1 - chunk;
        if (state.in_flight() >= limit_ - kept) {
            admission.limit(TaskKind::forward, chunk, 0);
        }
    }
}

void GradedAdmission::restrict_in_order(const RankState& state, Admission& admission) const {
    const TaskKind release = state.pipeline().release_kind();
    int spans = 0;
    for (int chunk = 0; chunk < state.chunks(); ++chunk) {
        const int due = state.next_undispatched(release, chunk);
        spans += end_of_span(state, due, chunk) - due;
    }
    for (int chunk = 0; chunk < state.chunks(); ++chunk) {
        const int kept = state.chunks() - 1 - chunk;
        const int end = end_of_span(state, state.next_undispatched(release, chunk), chunk);
        // Unlike a sum, this cannot overflow: a limit may be any positive number.
        const int room = std::clamp(limit_ - kept - spans, 0, state.pipeline().microbatches - end);
        admission.limit(TaskKind::forward, chunk, end + room);
    }
}

}  // namespace rrfp
