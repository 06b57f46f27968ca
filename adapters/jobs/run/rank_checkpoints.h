#pragma once

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/training/trainer.h"

namespace rrfp {

/// The number of iterations that a checkpoint has done already, its state loaded into `trainer`; 0
/// without one. `trainer` is null for synthetic jobs.
int resume(const Job& job, int world_rank, Trainer* trainer);

/// Saves the state after `done` iterations where the job keeps checkpoints. Collective over all
/// ranks.
void save(const Job& job, int world_rank, const Trainer* trainer, int done);

}  // namespace rrfp
