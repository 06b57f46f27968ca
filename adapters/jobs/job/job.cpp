#include "adapters/jobs/job/job.h"

namespace rrfp {

Layout Job::layout() const { return {parallel.pipeline, parallel.data, parallel.tensor}; }

Placement Job::placement() const {
    return placement_of(parallel.placement, parallel.pipeline, parallel.chunks);
}

Pipeline Job::pipeline() const {
    return {.placement = placement(),
            .microbatches = train.microbatches,
            .split_weight = schedule.split_weight};
}

std::vector<int> Job::layers_of_stages() const {
    if (!model.layers_per_stage.empty()) return model.layers_per_stage;
    const int stages = placement().stages();
    return std::vector<int>(static_cast<std::size_t>(stages), model.layers / stages);
}

bool Job::stretches_tasks() const {
    return jitter.compute_cv > 0 || jitter.microbatch_cv > 0 || model.forward_ms ||
           model.backward_ms;
}

StageTimes Job::stage_times() const {
    return {.forward_ms = model.forward_ms.value_or(0),
            .backward_ms = model.backward_ms.value_or(0),
            .weight_ms = model.weight_ms,
            .stage_scale = model.stage_scale};
}

int Job::evaluation_microbatches() const {
    const int all = train.evaluation_microbatches;
    return all > 0 ? all / parallel.data : train.microbatches;
}

}  // namespace rrfp
