#include "adapters/jobs/job.h"

#include "adapters/schedules/registry.h"
#include "runtime/core/hint_check.h"

namespace rrfp {

Pipeline Job::pipeline() const {
    return {.placement = Placement::loop(parallel.pipeline, parallel.chunks),
            .microbatches = train.microbatches,
            .split_weight = schedule.split_weight};
}

ScheduleOptions Job::schedule_options() const {
    const Pipeline shape = pipeline();
    ScheduleOptions options{.arbiter = schedule.arbiter,
                            .hint = make_hint(schedule.hint, shape),
                            .limits = schedule.limit,
                            .deterministic = schedule.deterministic};
    const auto ranks = static_cast<std::size_t>(parallel.pipeline);
    if (schedule.arbiter == "fixed" && !schedule.limit_given) {
        options.limits.clear();
        for (const auto& list : options.hint) {
            options.limits.push_back(peak_in_flight(shape, list));
        }
    } else if (options.limits.size() == 1) {
        options.limits.assign(ranks, schedule.limit.front());
    }
    return options;
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

}  // namespace rrfp
