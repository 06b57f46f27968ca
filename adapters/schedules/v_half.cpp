#include "adapters/schedules/building_block.h"
#include "adapters/schedules/generators.h"
#include "adapters/schedules/require_placement.h"

namespace rrfp {

/// V-Half (Qi et al., "Pipeline Parallelism with Controllable Memory", 2024): half the activation
/// memory of 1F1B, at most P+3 chunks' activations where 1F1B holds 2P.
HintOrder generate_v_half(const Pipeline& pipeline) {
    require_v("v-half", pipeline.placement);
    return repeat_block(pipeline.placement.ranks(), pipeline.microbatches,
                        {.forward_down = 1, .forward_up = 2, .backward_down = 1, .backward_up = 2});
}

}  // namespace rrfp
