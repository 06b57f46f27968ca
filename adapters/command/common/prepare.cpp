#include "adapters/command/common/prepare.h"

#include <filesystem>
#include <utility>

#include "adapters/command/common/traced_launch.h"
#include "adapters/files/output_file.h"
#include "adapters/jobs/training/checkpoint_check.h"
#include "adapters/jobs/training/trainer.h"
#include "adapters/plan/make_plan.h"
#include "adapters/schedules/registry.h"

namespace rrfp {
namespace {

/// The file called `name` in `folder`; empty where there is no folder.
std::string below(const std::string& folder, const char* name) {
    return folder.empty() ? "" : (std::filesystem::path(folder) / name).string();
}

}  // namespace

Preparation::Preparation(const CommonOptions& options, Places more)
    : options_(options), places_(std::move(more)), file_(read_job_text(options.job)) {
    places_.reads("the job", options.job);
    places_.writes("--json", options.json);
    places_.writes("--timeline", options.timeline);
    places_.holds("the trace of --trace", below(options.trace, "paje.trace"));
}

PreparedJob Preparation::prepare(const std::vector<std::string>& more) {
    LoadedJob loaded = load(more);
    return {.job = std::move(loaded.job), .plan = std::move(loaded.plan)};
}

PreparedJob Preparation::prepare_run(const std::vector<std::string>& more) {
    LoadedJob loaded = load(more);
    try {
        require_nothing_replaced(loaded.job);
        check_checkpoint(loaded.job);
    } catch (const std::runtime_error& error) {
        throw BadInput(loaded.origins.fault("output.checkpoint", loaded.job, error.what()));
    }
    return {.job = std::move(loaded.job), .plan = std::move(loaded.plan)};
}

LoadedJob Preparation::load(const std::vector<std::string>& more) {
    std::vector<std::string> overrides = options_.overrides;
    overrides.insert(overrides.end(), more.begin(), more.end());
    LoadedJob loaded = load_job(file_, overrides);
    if (!loaded.job.synthetic()) check_text_of(loaded);
    check_places(loaded);
    check_trace_folder(options_.trace);
    return loaded;
}

std::vector<std::string> Preparation::arbiters() const {
    try {
        return known_arbiters(read_keys(file_, options_.overrides).schedule.plugin);
    } catch (const std::invalid_argument& error) {
        load_job(file_, options_.overrides);  // finds the same, and knows the line
        throw BadInput(error.what());
    }
}

std::string Preparation::checkpoint() const {
    return read_keys(file_, options_.overrides).output.checkpoint;
}

void Preparation::check_text_of(LoadedJob& loaded) {
    try {
        if (!text_) text_ = check_text(loaded.job);
    } catch (const std::invalid_argument& error) {
        throw BadInput(loaded.origins.fault("data.text", loaded.job, error.what()));
    }
    loaded.job.data.text_file = *text_;
    PlanFacts facts = *loaded.plan;
    facts.text = text_;
    loaded.plan = Plan(std::move(facts));
}

void Preparation::check_places(const LoadedJob& loaded) const {
    const Job& job = loaded.job;
    Places places = places_;
    places.reads("data.text", job.data.text);
    places.reads("schedule.plugin", job.schedule.plugin);
    if (is_hint_file(job.schedule.hint)) places.reads("schedule.hint", job.schedule.hint);
    places.holds("the manifest of output.checkpoint",
                 below(job.output.checkpoint, "checkpoint.json"));
    std::vector<std::string> faults = places.faults();
    if (const std::string& folder = loaded.job.output.checkpoint; !folder.empty()) {
        if (const auto why = why_not_writable_folder(folder)) {
            faults.push_back(loaded.origins.fault("output.checkpoint", loaded.job, *why));
        }
    }
    if (!faults.empty()) throw BadInput(faults);
}

}  // namespace rrfp
