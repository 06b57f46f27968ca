#include "adapters/schedules/building_block.h"
#include "adapters/schedules/generators.h"
#include "adapters/schedules/require_placement.h"

namespace rrfp {

/// V-Min (Qi et al., "Pipeline Parallelism with Controllable Memory", 2024): the least activation
/// memory of the V schedules, about a third of 1F1B's: at most 2P/3+3 chunks' activations where
/// 1F1B holds 2P.
HintOrder generate_v_min(const Pipeline& pipeline) {
    require_v("v-min", pipeline.placement);
    return repeat_block(pipeline.placement.ranks(), pipeline.microbatches,
                        {.forward_down = 1, .forward_up = 1, .backward_down = 1, .backward_up = 1});
}

}  // namespace rrfp
