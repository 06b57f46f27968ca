#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/job.h"
#include "adapters/jobs/origins.h"

namespace rrfp {

/// Checks how the keys of `job`, each valid by itself, go together. One message a fault.
std::vector<std::string> check_job(const Job& job, const Origins& origins);

/// For a fixed order without a given limit, sets the limit to the order's own peaks: its memory is
/// that of its list. `job` must have passed `check_job`.
void resolve_limits(Job& job);

}  // namespace rrfp
