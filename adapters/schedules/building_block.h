#pragma once

#include "runtime/core/pipeline.h"

namespace rrfp {

/// How many units of time (F = B = W = 1) pass from rank to rank in each quarter of a V.
struct VPace {
    int forward_down;
    int forward_up;
    int backward_down;
    int backward_up;
};

/// The orders of a V whose every microbatch moves at `pace`, one each 6 units, the work of a rank
/// (Qi et al., "Pipeline Parallelism with Controllable Memory", 2024, section 3: the schedule is
/// one building block repeated). Weight gradients take the units that the block leaves free. The
/// slower the pace, the longer activations live and the fewer gaps warm-up has. Turns wait the
/// fewest units at which no rank has two tasks at once; std::logic_error where there is no such
/// number.
HintOrder repeat_block(int ranks, int microbatches, const VPace& pace);

}  // namespace rrfp
