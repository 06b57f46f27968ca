#pragma once

#include <optional>
#include <string>

#include <toml++/toml.h>

#include "adapters/jobs/file/job_keys.h"

namespace rrfp {

/// Sets `key` in `job` to `value`. Returns what is wrong with the value and the remedy, or nothing;
/// with a fault the job keeps what it had.
std::optional<std::string> set_value(const JobKey& key, const toml::node& value, Job& job);

}  // namespace rrfp
