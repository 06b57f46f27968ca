#pragma once

#include <optional>
#include <vector>

#include "adapters/jobs/report/rank_summary.h"
#include "adapters/jobs/report/report.h"
#include "adapters/jobs/training/iteration_end.h"

namespace rrfp {

/// What a rank has to tell of its run, iteration by iteration.
class RankRecord {
  public:
    explicit RankRecord(int world_rank) : rank_(world_rank), summary_(world_rank) {}

    /// An iteration that ended everywhere at `end_ms`; `trainer` is null for synthetic jobs.
    void add(RankIteration ended, const Trainer* trainer, const IterationFacts& facts,
             double end_ms);
    void add_evaluation(double loss) { evaluations_.emplace_back(loss); }
    void add_replay(const std::optional<ReplayVerdict>& verdict) { replay_ = verdict; }
    const IterationResult& last() const { return iterations_.back(); }

    /// The result of all ranks, on rank 0; empty elsewhere. Collective.
    std::optional<RunResult> gather(const Job& job, const Trainer* trainer) const;

  private:
    int rank_;
    RankSummaryBuilder summary_;
    std::vector<IterationResult> iterations_;
    std::vector<std::optional<double>> evaluations_;
    std::optional<ReplayVerdict> replay_;
};

}  // namespace rrfp
