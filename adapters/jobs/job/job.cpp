#include "adapters/jobs/job/job.h"

#include "adapters/jobs/job/kept_bytes.h"
#include "adapters/schedules/registry.h"
#include "runtime/core/arbiters/default_arbiter.h"
#include "runtime/core/hint_check.h"
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
    return schedule.arbiter.empty() ? default_arbiter(pipeline()) : schedule.arbiter;
}

std::string Job::hint_name() const {
    if (!schedule.hint.empty()) return schedule.hint;
    const auto* word = std::get_if<std::string>(&parallel.placement);
    return default_hint(pipeline(), word ? *word : "");
}

ScheduleOptions Job::schedule_options() const {
    const Pipeline shape = pipeline();
    ScheduleOptions options{
        .arbiter = arbiter_name(),
        .hint = hint_of(hint_name(), shape),
        .deterministic = schedule.deterministic,
        .admission = schedule.admission == "window" ? AdmissionRule::window : AdmissionRule::drain,
        .plugin = plugin()};
    if (options.arbiter == "fixed" && !schedule.limit_given) {
        for (const auto& list : options.hint) {
            options.limits.push_back(peak_in_flight(shape, list));
        }
    } else {
        options.limits = limits_of(*this);
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
