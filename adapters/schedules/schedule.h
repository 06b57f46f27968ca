#pragma once

#include <vector>

#include "runtime/core/pipeline.h"

namespace rrfp {

/// A whole schedule: what each rank runs, in which order.
struct Schedule {
    /// `split_weight` says whether the order holds any weight gradient. Where only some backwards
    /// are split, a backward without its weight gradient in the order is whole.
    Pipeline pipeline;
    HintOrder order;
    /// [microbatch]: whether it runs up the ranks, stage s on rank P-1-s, where the others run
    /// down, stage s on rank s: each stage then exists twice. Empty: one direction.
    std::vector<bool> upward;

    bool two_directions() const { return !upward.empty(); }
    /// The rank that runs `stage` for `microbatch`.
    int rank_of(int stage, int microbatch) const;
};

}  // namespace rrfp
