#include "adapters/schedules/alternation.h"
#include "adapters/schedules/generators.h"
#include "adapters/schedules/require_placement.h"

namespace rrfp {

/// ZB-H2 (Qi et al., "Zero Bubble Pipeline Parallelism", 2024, section 3.2): as ZB-H1 with twice
/// the warm-up and twice the weight gradients kept back, so that at F = B = W no rank idles between
/// its first task and its last from 2P-1 microbatches on. Each rank holds at most 2P-1
/// microbatches: the memory that the paper gives its searched ZB-2P.
HintOrder generate_zb_h2(const Pipeline& pipeline) {
    require_one_stage_a_rank("zb-h2", pipeline.placement);
    const int ranks = pipeline.placement.ranks();
    HintOrder hint;
    for (int rank = 0; rank < ranks; ++rank) {
        hint.push_back(alternate(rank, pipeline.microbatches, 2 * (ranks - 1 - rank), 2 * rank));
    }
    return hint;
}

}  // namespace rrfp
