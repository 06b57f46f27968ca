#include "runtime/core/arbiters/default_arbiter.h"

namespace rrfp {

std::string default_arbiter(const Pipeline& pipeline) {
    if (pipeline.split_weight) return "bfw";
    const Placement& placement = pipeline.placement;
    return placement.stages() == placement.ranks() ? "tide" : "bf";
}

}  // namespace rrfp
