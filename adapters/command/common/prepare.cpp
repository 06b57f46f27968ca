#include "adapters/command/common/prepare.h"

#include <utility>

#include <fmt/format.h>

#include "adapters/command/common/traced_launch.h"
#include "adapters/files/output_file.h"
#include "adapters/jobs/training/checkpoint_check.h"
#include "adapters/jobs/training/trainer.h"
#include "adapters/plan/make_plan.h"

namespace rrfp {

Preparation::Preparation(const CommonOptions& options)
    : options_(options), file_(read_job_text(options.job)) {}

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
    std::vector<std::string> faults;
    const auto check = [&](const char* option, const std::string& path, auto why_not) {
        if (path.empty()) return;
        if (const std::optional<std::string> why = why_not(path)) {
            faults.push_back(fmt::format("{} {}: {}", option, path, *why));
        }
    };
    check("--json", options_.json, why_not_writable_file);
    check("--timeline", options_.timeline, why_not_writable_file);
    if (const std::string& folder = loaded.job.output.checkpoint; !folder.empty()) {
        if (const auto why = why_not_writable_folder(folder)) {
            faults.push_back(loaded.origins.fault("output.checkpoint", loaded.job, *why));
        }
    }
    if (!faults.empty()) throw BadInput(faults);
}

}  // namespace rrfp
