#pragma once

#include <string>
#include <vector>

#include "adapters/command/common/common_options.h"
#include "adapters/jobs/job/job.h"

namespace rrfp {

/// Loads the job of `options` with `more` overrides after its own, and checks all that can be
/// checked before anything starts: the keys, the data, and that every place to write to can be
/// written. Throws BadInput.
Job prepare_job(const CommonOptions& options, const std::vector<std::string>& more = {});

}  // namespace rrfp
