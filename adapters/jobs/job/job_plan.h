#pragma once

#include "adapters/jobs/job/job.h"
#include "adapters/plan/make_plan.h"

namespace rrfp {

/// What `job` asks of its plan. The request reads the job, which must outlive it.
PlanRequest plan_request(const Job& job);

/// The plan of `job`; throws as `make_plan`.
Plan plan_of(const Job& job);

/// Writes out what `job` left to defaults that depend on other keys, and what it gave as a rule:
/// arbiter, hint, and limits as numbers, as `plan` has them.
void resolve_schedule(Job& job, const Plan& plan);

}  // namespace rrfp
