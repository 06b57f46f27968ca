#pragma once

#include <optional>

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/report/report.h"
#include "adapters/plan/plan.h"
#include "runtime/simulation/durations.h"

namespace rrfp {

/// Runs `job` by its `plan` in virtual time with the dispatchers of a real run: each iteration on
/// its own draws, or all of them on `given`. The optimizer takes no time there, and losses are
/// none. Throws std::invalid_argument when neither `given` nor the job's stage times say how long
/// tasks take.
RunResult simulate_run(const Job& job, const Plan& plan,
                       const std::optional<Durations>& given = std::nullopt);

/// What `job` draws for `iteration`, counted from 0.
Durations draw_durations(const Job& job, int iteration);

}  // namespace rrfp
