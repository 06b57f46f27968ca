#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "adapters/schedules/registry.h"

namespace rrfp {
namespace {

void require_one_stage_a_rank(const Placement& placement) {
    for (int rank = 0; rank < placement.ranks(); ++rank) {
        if (placement.chunks(rank) != 1 || placement.rank_of(rank) != rank) {
            throw std::invalid_argument(fmt::format(
                "schedule '1f1b' is for one stage a rank in rank order; rank {} holds {} stages, "
                "the first of them stage {}; choose another schedule or chunks = 1",
                rank, placement.chunks(rank), placement.stages_of(rank).front()));
        }
    }
}

}  // namespace

/// One forward, one backward (PipeDream-Flush: Narayanan et al., "Memory-Efficient
/// Pipeline-Parallel DNN Training", 2021; Megatron-LM's schedule without interleaving). Rank r of P
/// runs P-1-r forwards to warm up, then alternates forward and backward, then drains: at most P-r
/// microbatches are in flight there.
HintOrder generate_one_f_one_b(const Pipeline& pipeline) {
    require_one_stage_a_rank(pipeline.placement);
    const int ranks = pipeline.placement.ranks();
    const int microbatches = pipeline.microbatches;
    HintOrder hint(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        const int warm_up = std::min(ranks - 1 - rank, microbatches);
        auto& list = hint[rank];
        for (int forward = 0; forward < warm_up; ++forward) {
            list.push_back({TaskKind::forward, rank, forward});
        }
        for (int backward = 0; backward < microbatches; ++backward) {
            if (const int forward = backward + warm_up; forward < microbatches) {
                list.push_back({TaskKind::forward, rank, forward});
            }
            list.push_back({TaskKind::backward, rank, backward});
        }
    }
    return hint;
}

}  // namespace rrfp
