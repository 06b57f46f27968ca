#include "adapters/jobs/file/origins.h"

#include <fmt/format.h>

#include "adapters/jobs/file/job_keys.h"
#include "adapters/jobs/file/key_text.h"

namespace rrfp {

void Origins::record(const std::string& key, std::string place, std::string value) {
    settings_[key] = {std::move(place), std::move(value)};
}

std::string Origins::fault(const std::string& key, const Job& job, std::string_view what) const {
    const auto found = settings_.find(key);
    if (found != settings_.end()) {
        return fmt::format("{}: {} = {}: {}", found->second.place, key, found->second.value, what);
    }
    const auto dot = key.find('.');
    const JobKey* known = find_job_key(key.substr(0, dot), key.substr(dot + 1));
    const std::string value = known ? value_text(*known, job) : "(none)";
    return fmt::format("{}{}{} = {} (not given): {}", file_, file_.empty() ? "" : ": ", key, value,
                       what);
}

}  // namespace rrfp
