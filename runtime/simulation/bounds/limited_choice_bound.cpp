#include "runtime/simulation/bounds/limited_choice_bound.h"

#include <algorithm>

#include "runtime/simulation/bounds/any_choice_bound.h"
#include "runtime/simulation/bounds/stage_maxima.h"

namespace rrfp {

double limited_choice_bound_ms(const Pipeline& pipeline, const Durations& durations,
                               std::span<const int> limits) {
    const double unlimited = any_choice_bound_ms(pipeline, durations);
    const StageMaxima maxima = stage_maxima(pipeline, durations);
    double dearest = 0;
    double ramp = 0;  // the longest tasks and messages of the stages behind `stage`
    for (int stage = pipeline.last_stage(); stage >= 0; --stage) {
        const int limit = limits[pipeline.placement.rank_of(stage)];
        if (stage < pipeline.last_stage()) {
            ramp += maxima.forward[stage + 1] + maxima.backward[stage + 1] +
                    maxima.forward_link[stage] + maxima.backward_link[stage + 1];
        }
        if (limit < pipeline.microbatches) {
            dearest = std::max(dearest, ramp / limit);
        }
    }
    return unlimited + (pipeline.microbatches - 1) * dearest;
}

}  // namespace rrfp
