#pragma once

#include <optional>

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/report/report.h"
#include "adapters/jobs/run/run_hooks.h"
#include "adapters/plan/plan.h"

namespace rrfp {

/// Runs this process's rank of `job` by `plan`, which is the job's, under the MPI job it was
/// started in. The result is that of all ranks, on rank 0; empty elsewhere. Throws RunStopped, the
/// same on every rank, for a loss that is not a number, and where ranks have different plans,
/// versions or plugins. A failing task ends the whole MPI job with its message.
std::optional<RunResult> run_rank(const Job& job, const Plan& plan, const RunHooks& hooks);

}  // namespace rrfp
