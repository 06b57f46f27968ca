#include <algorithm>

#include "adapters/schedules/generators.h"
#include "adapters/schedules/phase_list.h"
#include "adapters/schedules/require_placement.h"

namespace rrfp {
namespace {

/// The phases of one rank, whose stages on the way down and up are `down` and `up`.
std::vector<Task> phases(int ranks, int rank, int microbatches) {
    const int down = rank;
    const int up = 2 * ranks - 1 - rank;
    const int drawn = std::max(microbatches, 2 * ranks - 1);  // what fills all phases
    PhaseList list(2 * ranks, microbatches);
    const auto turn_back = [&] {  // the way up, there and back
        list.forward(up);
        list.backward(up);
        list.weight_gradient(up);
    };
    // Until the first microbatch comes up again, until its gradient comes down, until it is back.
    for (int i = 0; i < 2 * (ranks - rank) - 1; ++i) {
        list.forward(down);
    }
    for (int i = 0; i < rank; ++i) {
        list.forward(up);
        list.forward(down);
    }
    for (int i = 0; i < ranks - rank; ++i) {
        turn_back();
    }
    // Steady: both chunks, whole.
    for (int i = 0; i < drawn - ranks; ++i) {
        if (list.count(TaskKind::forward, down) < drawn) {
            list.forward(down);
        }
        list.backward(down);
        list.weight_gradient(down);
        turn_back();
    }
    // The end: gradients first, weights in the gaps.
    for (int i = 0; i < rank; ++i) {
        list.backward(down);
        list.backward(up);
    }
    for (int i = 0; i < ranks - rank; ++i) {
        list.backward(down);
        list.weight_gradient(down);
    }
    for (const int stage : {up, down}) {
        while (list.count(TaskKind::weight_gradient, stage) < drawn) {
            list.weight_gradient(stage);
        }
    }
    return list.take();
}

}  // namespace

/// ZB-V (Qi et al., "Zero Bubble Pipeline Parallelism", 2024, section 6): two chunks in a V and the
/// backward split. At most 2P chunks' activations are held, the memory of P whole microbatches; at
/// F = B = W no rank idles between its first task and its last from 2P-1 microbatches on. Fewer are
/// served by the order of 2P-1 without those that are not there.
HintOrder generate_zbv(const Pipeline& pipeline) {
    require_v("zbv", pipeline.placement);
    const int ranks = pipeline.placement.ranks();
    HintOrder hint;
    for (int rank = 0; rank < ranks; ++rank) {
        hint.push_back(phases(ranks, rank, pipeline.microbatches));
    }
    return hint;
}

}  // namespace rrfp
