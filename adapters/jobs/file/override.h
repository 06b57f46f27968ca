#pragma once

#include <string>

#include "adapters/jobs/file/job_reader.h"

namespace rrfp {

/// Applies `--set section.key=value`. The value is TOML; what is not TOML and looks like no other
/// TOML value is taken as a text, so that words need no quotes. Faults go to `reader`.
void apply_override(JobReader& reader, const std::string& override_text);

}  // namespace rrfp
