#include "runtime/core/arbiters/default_arbiter.h"

namespace rrfp {
namespace {

bool is_loop_or_wave(const Placement& placement) {
    const int ranks = placement.ranks();
    const int chunks = placement.chunks(0);
    return placement == Placement::loop(ranks, chunks) ||
           placement == Placement::wave(ranks, chunks);
}

}  // namespace

std::string default_arbiter(const Pipeline& pipeline, AdmissionRule admission) {
    const Placement& placement = pipeline.placement;
    if (placement.stages() == placement.ranks() || admission == AdmissionRule::window) {
        return pipeline.split_weight ? "tide-w" : "tide";
    }
    if (pipeline.split_weight) return "bfw";
    const bool forwards_first = admission == AdmissionRule::graded && is_loop_or_wave(placement);
    return forwards_first ? "f-priority" : "bf";
}

}  // namespace rrfp
