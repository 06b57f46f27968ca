#include "adapters/schedules/generators.h"

namespace rrfp {

/// All forwards, then all backwards (Huang et al., "GPipe: Efficient Training of Giant Neural
/// Networks using Pipeline Parallelism", 2019), chunk by chunk where a rank holds several stages.
/// Backwards come in microbatch order, not in the paper's reverse, so that gradients accumulate as
/// under every other schedule here.
HintOrder generate_gpipe(const Pipeline& pipeline) {
    HintOrder hint;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        const auto stages = pipeline.placement.stages_of(rank);
        std::vector<Task> list;
        for (auto stage = stages.begin(); stage != stages.end(); ++stage) {
            for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
                list.push_back({TaskKind::forward, *stage, microbatch});
            }
        }
        for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
            for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
                list.push_back({TaskKind::backward, *stage, microbatch});
            }
        }
        hint.push_back(std::move(list));
    }
    return hint;
}

}  // namespace rrfp
