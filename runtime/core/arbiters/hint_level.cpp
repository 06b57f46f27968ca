#include "runtime/core/arbiters/hint_level.h"

#include <algorithm>

namespace rrfp {

int hint_level(const ArbiterSetup& setup) {
    const Placement& placement = setup.pipeline.placement;
    if (placement.stages() > placement.ranks() && setup.admission != AdmissionRule::window) {
        return 0;
    }
    int level = OpenForwards::peak(setup.hint);
    const int stage = placement.stages_of(setup.rank).front();
    for (int above = 0; above <= stage && !setup.limits.empty(); ++above) {
        level = std::min(level, setup.limits[placement.rank_of(above)]);
    }
    return level;
}

NextForward::NextForward(const ArbiterSetup& setup) : dispatched_(setup.hint.size()) {
    for (std::size_t position = 0; position < setup.hint.size(); ++position) {
        if (setup.hint[position].kind == TaskKind::forward) {
            forwards_.push_back(static_cast<int>(position));
        }
    }
}

void NextForward::begin_iteration() {
    std::fill(dispatched_.begin(), dispatched_.end(), false);
    next_ = 0;
}

void NextForward::dispatched(int position) {
    dispatched_[position] = true;
    while (next_ < forwards_.size() && dispatched_[forwards_[next_]]) {
        ++next_;
    }
}

std::optional<int> NextForward::forward() const {
    return next_ < forwards_.size() ? std::optional(forwards_[next_]) : std::nullopt;
}

}  // namespace rrfp
