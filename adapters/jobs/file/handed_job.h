#pragma once

#include <string>

#include "adapters/jobs/job/job.h"
#include "adapters/plan/plan.h"

namespace rrfp {

/// What one process has read and checked, and every rank runs.
struct HandedJob {
    Job job;
    Plan plan;
};

/// Both as one text, for the launcher's pipe and for messages.
std::string hand_over(const Job& job, const Plan& plan);

/// What `hand_over` made, the plan as `world_rank` needs it. Throws std::invalid_argument for
/// anything else.
HandedJob take_over(const std::string& text, int world_rank);

}  // namespace rrfp
