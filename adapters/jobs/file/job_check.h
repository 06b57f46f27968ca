#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/file/origins.h"
#include "adapters/jobs/job/job.h"

namespace rrfp {

/// Checks how the keys of `job`, each valid by itself, go together. One message a fault.
std::vector<std::string> check_job(const Job& job, const Origins& origins);

/// The names that `schedule.arbiter` of `job` may take: rrfp's own, and its plugin's. Throws as
/// `Job::plugin`.
std::vector<std::string> arbiters_of(const Job& job);

/// Writes out what `job` left to defaults that depend on other keys, and what it gave as a rule:
/// arbiter, hint, and limits as numbers. `job` must have passed `check_job`.
void resolve_schedule(Job& job);

}  // namespace rrfp
