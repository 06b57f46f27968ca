#pragma once

#include "runtime/core/arbiter.h"

namespace rrfp {

/// The first candidate of `preferred` (forward or backward), else of the other direction.
inline std::optional<Task> prefer(TaskKind preferred, const Candidates& candidates) {
    if (preferred == TaskKind::forward) {
        const auto forward = candidates.first_forward();
        return forward ? forward : candidates.first_backward();
    }
    const auto backward = candidates.first_backward();
    return backward ? backward : candidates.first_forward();
}

/// Whose turn it is under alternation: the direction that did not run last. The turn is that of the
/// last dispatch, however many choices found nothing since.
inline TaskKind alternate(const RankState& state) {
    return state.last_direction() == TaskKind::backward ? TaskKind::forward : TaskKind::backward;
}

}  // namespace rrfp
