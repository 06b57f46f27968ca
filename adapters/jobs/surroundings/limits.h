#pragma once

#include <vector>

#include "adapters/jobs/surroundings/demand.h"
#include "runtime/system/fact.h"

namespace rrfp {

/// What this process's limits (`ulimit -a`, control groups) leave for the ranks of a job: one fact
/// a limit. Those that the process may raise by itself are raised, as far as the job wants.
std::vector<Fact> examine_limits(const Demand& demand);

}  // namespace rrfp
