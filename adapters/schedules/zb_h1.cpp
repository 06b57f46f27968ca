#include "adapters/schedules/alternation.h"
#include "adapters/schedules/generators.h"
#include "adapters/schedules/require_placement.h"

namespace rrfp {

/// ZB-H1 (Qi et al., "Zero Bubble Pipeline Parallelism", 2024, section 3.1): 1F1B with the backward
/// split, rank r keeping r weight gradients back for the gaps of its end. Each rank holds at most
/// P microbatches, 1F1B's most; the bubble is (P-1)(F+B-W) as long as W is no longer than F.
HintOrder generate_zb_h1(const Pipeline& pipeline) {
    require_one_stage_a_rank("zb-h1", pipeline.placement);
    const int ranks = pipeline.placement.ranks();
    HintOrder hint;
    for (int rank = 0; rank < ranks; ++rank) {
        hint.push_back(alternate(rank, pipeline.microbatches, ranks - 1 - rank, rank));
    }
    return hint;
}

}  // namespace rrfp
