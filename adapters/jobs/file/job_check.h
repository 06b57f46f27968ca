#pragma once

#include <optional>

#include "adapters/jobs/file/faults.h"
#include "adapters/plan/plan.h"

namespace rrfp {

/// Checks how the keys of `job`, each valid by itself, go together, and makes its plan, which is
/// part of the check. Nothing where there are faults, or where there were some before.
std::optional<Plan> check_job(const Job& job, const Origins& origins, Faults& faults);

// The parts of it, by what they look at. One message a fault.

/// `[model]` and `[data]`: what its kind needs.
void check_model(const Job& job, Faults& faults);
/// Where the pipeline's shape stands: one factor a stage.
void check_scale(const Job& job, Faults& faults);
/// `[output]`; not the checkpoint that the job would continue from, which takes reading.
void check_output(const Job& job, Faults& faults);
/// `[train]`.
void check_training(const Job& job, Faults& faults);

}  // namespace rrfp
