#include "adapters/command/common/prepare.h"

#include <fmt/format.h>

#include "adapters/command/common/traced_launch.h"
#include "adapters/files/output_file.h"
#include "adapters/jobs/file/job_file.h"
#include "adapters/jobs/training/trainer.h"

namespace rrfp {
namespace {

using Reason = std::optional<std::string>;

void check_places(const CommonOptions& options, const LoadedJob& loaded) {
    std::vector<std::string> faults;
    const auto check = [&](const char* option, const std::string& path, auto why_not) {
        if (path.empty()) return;
        if (const Reason why = why_not(path)) {
            faults.push_back(fmt::format("{} {}: {}", option, path, *why));
        }
    };
    check("--json", options.json, why_not_writable_file);
    check("--timeline", options.timeline, why_not_writable_file);
    if (const std::string& folder = loaded.job.output.checkpoint; !folder.empty()) {
        if (const Reason why = why_not_writable_folder(folder)) {
            faults.push_back(loaded.origins.fault("output.checkpoint", loaded.job, *why));
        }
    }
    if (!faults.empty()) throw BadInput(faults);
}

}  // namespace

Job prepare_job(const CommonOptions& options, const std::vector<std::string>& more) {
    std::vector<std::string> overrides = options.overrides;
    overrides.insert(overrides.end(), more.begin(), more.end());
    const LoadedJob loaded = load_job(options.job, overrides);
    if (!loaded.job.synthetic()) {
        try {
            check_gpt_job(loaded.job);
        } catch (const std::invalid_argument& error) {
            throw BadInput(loaded.origins.fault("data.text", loaded.job, error.what()));
        }
    }
    check_places(options, loaded);
    check_trace_folder(options.trace);
    return loaded.job;
}

}  // namespace rrfp
