#include "adapters/jobs/job/job.h"

#include "adapters/jobs/job/limit.h"
#include "adapters/schedules/default_options.h"
#include "adapters/schedules/registry.h"
#include "runtime/core/plugin_loader.h"

namespace rrfp {

Layout Job::layout() const { return {parallel.pipeline, parallel.data, parallel.tensor}; }

Placement Job::placement() const {
    if (const auto* ranks = std::get_if<std::vector<int>>(&parallel.placement)) {
        return Placement(*ranks);
    }
    const auto& word = std::get<std::string>(parallel.placement);
    if (word == "v") return Placement::v(parallel.pipeline);
    if (word == "wave") return Placement::wave(parallel.pipeline, parallel.chunks);
    return Placement::loop(parallel.pipeline, parallel.chunks);
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

std::shared_ptr<const ArbiterPlugin> Job::plugin() const {
    return schedule.plugin.empty() ? nullptr : ArbiterPlugin::load(schedule.plugin);
}

std::string Job::arbiter_name() const {
    return schedule.arbiter.empty() ? schedule_options().arbiter : schedule.arbiter;
}

std::string Job::hint_name() const {
    return schedule.hint.empty() ? default_hint(pipeline(), placement_word()) : schedule.hint;
}

std::string Job::placement_word() const {
    const auto* word = std::get_if<std::string>(&parallel.placement);
    return word ? *word : "";
}

ScheduleOptions Job::schedule_options() const {
    return resolve_options(pipeline(),
                           {.arbiter = schedule.arbiter,
                            .hint = schedule.hint,
                            .placement = placement_word(),
                            .limits = schedule.limit_given ? limits_of(*this) : std::vector<int>(),
                            .admission = find_admission_rule(schedule.admission),
                            .deterministic = schedule.deterministic,
                            .plugin = plugin()});
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
