#include "runtime/simulation/bounds/any_choice_bound.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/simulation/bounds/plain_pipeline.h"
#include "runtime/simulation/bounds/stage_maxima.h"

namespace rrfp {
namespace {

double sum(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

double sum_but_largest(const std::vector<double>& values) {
    return sum(values) - *std::max_element(values.begin(), values.end());
}

double longest_over_stages(const Durations& durations, TaskKind kind, int microbatch) {
    double longest = 0;
    for (int stage = 0; stage < durations.stages(); ++stage) {
        longest = std::max(longest, durations.task_ms({kind, stage, microbatch}));
    }
    return longest;
}

}  // namespace

double any_choice_bound_ms(const Pipeline& pipeline, const Durations& durations) {
    require_plain_pipeline(pipeline, "any_choice_bound_ms");
    const StageMaxima maxima = stage_maxima(pipeline, durations);
    double bound = sum_but_largest(maxima.forward) + sum_but_largest(maxima.backward) +
                   sum(maxima.forward_link) + sum(maxima.backward_link);
    for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
        bound += longest_over_stages(durations, TaskKind::forward, microbatch) +
                 longest_over_stages(durations, TaskKind::backward, microbatch);
    }
    return bound;
}

}  // namespace rrfp
