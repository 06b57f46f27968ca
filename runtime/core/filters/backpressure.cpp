#include "runtime/core/filters/backpressure.h"

#include <algorithm>
#include <optional>

namespace rrfp {
namespace {

/// The first task of the drain's order that was not dispatched; nothing when all were.
std::optional<Task> next_to_drain(const RankState& state) {
    const int kinds = state.pipeline().kinds();
    int microbatch = state.pipeline().microbatches;
    for (int kind = 0; kind < kinds; ++kind) {
        for (int chunk = 0; chunk < state.chunks(); ++chunk) {
            microbatch =
                std::min(microbatch, state.next_undispatched(static_cast<TaskKind>(kind), chunk));
        }
    }
    for (int kind = 0; kind < kinds; ++kind) {
        for (int position = 0; position < state.chunks(); ++position) {
            const auto direction = static_cast<TaskKind>(kind);
            const int chunk =
                direction == TaskKind::forward ? position : state.chunks() - 1 - position;
            if (state.next_undispatched(direction, chunk) == microbatch) {
                return state.task(direction, chunk, microbatch);
            }
        }
    }
    return std::nullopt;
}

}  // namespace

void Backpressure::restrict(const RankState& state, Admission& admission) const {
    if (state.in_flight() < limit_) {
        return;
    }
    const Placement& placement = state.pipeline().placement;
    if (placement.stages() == placement.ranks()) {
        admission.forbid(TaskKind::forward);
        return;
    }
    if (const auto task = next_to_drain(state)) {
        admission.require(*task);
    }
}

}  // namespace rrfp
