#include "adapters/schedules/alternation.h"

#include <algorithm>

#include "adapters/schedules/phase_list.h"

namespace rrfp {

std::vector<Task> alternate(int stage, int microbatches, int warm_up, int held_back) {
    PhaseList list(stage + 1, microbatches);
    for (int forward = 0; forward < std::min(warm_up, microbatches); ++forward) {
        list.forward(stage);
    }
    for (int backward = 0; backward < microbatches; ++backward) {
        list.forward(stage);
        list.backward(stage);
        if (backward >= held_back) {
            list.weight_gradient(stage);
        }
    }
    while (list.count(TaskKind::weight_gradient, stage) < microbatches) {
        list.weight_gradient(stage);
    }
    return list.take();
}

}  // namespace rrfp
