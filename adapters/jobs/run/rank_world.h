#pragma once

#include <memory>
#include <vector>

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/training/trainer.h"
#include "adapters/plan/layout.h"

namespace rrfp {

/// This process among the ranks of a job: its place, and the groups it computes with.
class RankWorld {
  public:
    /// Collective over all ranks: every rank makes its groups at once. Throws as
    /// make_mpi_collectives.
    RankWorld(const Job& job, int world_rank);

    const Layout& layout() const { return layout_; }
    int rank() const { return rank_; }
    RankPlace place() const { return layout_.place(rank_); }
    RankGroups groups() const;

  private:
    Layout layout_;
    int rank_;
    std::unique_ptr<Collectives> tensor_;
    std::vector<std::unique_ptr<Collectives>> data_;  // one a chunk
    std::unique_ptr<Collectives> tied_;
};

/// The jitter on the tasks of a rank. Replicas draw their own; ranks of a tensor group, which
/// compute each task together, draw the same.
Jitter task_jitter(const Job& job, const RankPlace& place);

/// The jitter on the messages that a rank sends: every rank's are its own.
Jitter message_jitter(const Job& job, const RankPlace& place);

}  // namespace rrfp
