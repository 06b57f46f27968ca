#pragma once

#include "adapters/jobs/job/job.h"
#include "runtime/core/agreement/agreement_options.h"

namespace rrfp {

/// Whether the job's arbiter goes by what a rank alone knows (durations, the time), so that ranks
/// that each choose for themselves would not come to the same.
bool chooses_locally(const Job& job);

/// Who must run the tasks of `world_rank` in its order, and how they come to it. The protocol
/// `board` gives way to `allgather` where the members share no memory.
AgreementOptions agreement_of(const Job& job, int world_rank);

}  // namespace rrfp
