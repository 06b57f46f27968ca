#include <algorithm>

#include "adapters/schedules/generators.h"
#include "adapters/schedules/phase_list.h"
#include "adapters/schedules/require_placement.h"

namespace rrfp {

/// Interleaved 1F1B (Narayanan et al., "Efficient Large-Scale Language Model Training on GPU
/// Clusters Using Megatron-LM", 2021, section 2.2): P microbatches on one chunk, then the same on
/// the next. Rank r runs 2(P-1-r) + (C-1)P forwards to warm up (with one chunk it is 1F1B and its
/// P-1-r), so it holds at most one more. A number of microbatches that P does not divide is served
/// by the order of the next multiple, without the microbatches that are not there: it ends like
/// the whole one, while a short last round could lock.
HintOrder generate_interleaved(const Pipeline& pipeline) {
    const Placement& placement = pipeline.placement;
    require_loop("interleaved-1f1b", placement);
    const int ranks = placement.ranks();
    const int chunks = placement.chunks(0);
    if (chunks == 1) {
        return generate_one_f_one_b(pipeline);
    }
    const int rounds = (pipeline.microbatches + ranks - 1) / ranks;
    const int total = rounds * ranks * chunks;
    HintOrder hint;
    for (int rank = 0; rank < ranks; ++rank) {
        PhaseList list(placement.stages(), pipeline.microbatches);
        const auto chunk_of = [&](int step) { return step / ranks % chunks; };
        const auto forward = [&](int step) { list.forward(chunk_of(step) * ranks + rank); };
        const int warm_up = std::min(2 * (ranks - 1 - rank) + (chunks - 1) * ranks, total);
        for (int step = 0; step < warm_up; ++step) {
            forward(step);
        }
        for (int step = 0; step < total; ++step) {
            if (step + warm_up < total) {
                forward(step + warm_up);
            }
            list.backward((chunks - 1 - chunk_of(step)) * ranks + rank);
        }
        hint.push_back(list.take());
    }
    return hint;
}

}  // namespace rrfp
