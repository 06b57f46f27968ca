#include "runtime/core/arbiters/default_arbiter.h"

#include "runtime/core/hint_check.h"

namespace rrfp {
namespace {

bool is_loop_or_wave(const Placement& placement) {
    const int ranks = placement.ranks();
    const int chunks = placement.chunks(0);
    return placement == Placement::loop(ranks, chunks) ||
           placement == Placement::wave(ranks, chunks);
}

bool has_the_hints_memory(const Pipeline& pipeline, const ScheduleOptions& options) {
    const std::vector<int> levels = hint_levels(pipeline, options.hint);
    for (std::size_t rank = 0; rank < levels.size(); ++rank) {
        if (options.limits.at(rank) < levels[rank]) return false;
    }
    return true;
}

}  // namespace

std::string default_arbiter(const Pipeline& pipeline, const ScheduleOptions& options) {
    const Placement& placement = pipeline.placement;
    const bool one_stage = placement.stages() == placement.ranks();
    if (pipeline.split_weight) {
        const bool by_hint = one_stage ? has_the_hints_memory(pipeline, options)
                                       : options.admission == AdmissionRule::window;
        return by_hint ? "tide-w" : "bfw";
    }
    if (one_stage || options.admission == AdmissionRule::window) return "tide";
    const bool forwards_first =
        options.admission == AdmissionRule::graded && is_loop_or_wave(placement);
    return forwards_first ? "f-priority" : "bf";
}

}  // namespace rrfp
