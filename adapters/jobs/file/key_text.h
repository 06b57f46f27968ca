#pragma once

#include <string>

#include "adapters/jobs/file/job_keys.h"

namespace rrfp {

/// What a value of `key` is, for people: `a whole number of at least 1`, ...
std::string expected_value(const JobKey& key);
/// The value of `key` in `job` as TOML; `(none)` for an optional without a value.
std::string value_text(const JobKey& key, const Job& job);

}  // namespace rrfp
