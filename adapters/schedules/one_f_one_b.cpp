#include "adapters/schedules/alternation.h"
#include "adapters/schedules/generators.h"
#include "adapters/schedules/require_placement.h"

namespace rrfp {

/// One forward, one backward (PipeDream-Flush: Narayanan et al., "Memory-Efficient
/// Pipeline-Parallel DNN Training", 2021; Megatron-LM's schedule without interleaving). Rank r of P
/// runs P-1-r forwards to warm up, then alternates forward and backward, then drains: at most P-r
/// microbatches are in flight there.
HintOrder generate_one_f_one_b(const Pipeline& pipeline) {
    require_one_stage_a_rank("1f1b", pipeline.placement);
    const int ranks = pipeline.placement.ranks();
    HintOrder hint;
    for (int rank = 0; rank < ranks; ++rank) {
        auto list = alternate(rank, pipeline.microbatches, ranks - 1 - rank, 0);
        std::erase_if(list,
                      [](const Task& task) { return task.kind == TaskKind::weight_gradient; });
        hint.push_back(std::move(list));
    }
    return hint;
}

}  // namespace rrfp
