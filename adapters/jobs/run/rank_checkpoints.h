#pragma once

#include <optional>
#include <string>

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/run/run_hooks.h"
#include "adapters/jobs/training/checkpoint.h"
#include "adapters/jobs/training/checkpoint_lock.h"
#include "adapters/jobs/training/trainer.h"

namespace rrfp {

/// The checkpoints of a running job, at one of its ranks: nothing where the job keeps none. Rank 0
/// alone reads and writes the manifest, and holds the folder's lock; every rank reads and writes
/// its own file, and knows its hash from doing so.
class RankCheckpoints {
  public:
    /// `trainer` is null for synthetic jobs; all arguments outlive this object.
    RankCheckpoints(const Job& job, const RunHooks& hooks, int world_rank, Trainer* trainer);

    /// The number of iterations that a checkpoint has done already, its state loaded into the
    /// trainer; 0 without one. RunStopped on all ranks where another job is at the folder, or its
    /// checkpoint is not one of this job, whole and as it was written. Collective over all ranks.
    int resume();

    /// Saves the state after `done` iterations. No rank goes on before the checkpoint is in force:
    /// while one writes, none is within an iteration, and waits for what a writer owes it.
    /// Collective over all ranks.
    void save(int done);

  private:
    bool keeps() const { return trainer_ && !job_.output.checkpoint.empty(); }
    /// On rank 0: the manifest of the checkpoint to go on from, or nothing.
    std::string open_folder();
    void tell(const Checkpoint& found) const;
    /// What keeps this rank's file from being what the checkpoint says; empty for nothing.
    std::string load(const Checkpoint& checkpoint);

    const Job& job_;
    const RunHooks& hooks_;
    int rank_;
    Trainer* trainer_;
    std::optional<CheckpointLock> lock_;  ///< rank 0's
};

}  // namespace rrfp
