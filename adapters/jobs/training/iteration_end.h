#pragma once

#include <optional>

#include "adapters/jobs/training/trainer.h"
#include "adapters/plan/layout.h"
#include "runtime/core/metrics.h"

namespace rrfp {

/// What all ranks know together once the tasks of an iteration have ended everywhere.
struct IterationFacts {
    double first_dispatch_ms = 0;  ///< at rank 0, on the clock of the task records
    double last_task_end_ms = 0;   ///< of any rank
    double loss = 0;               ///< mean over the microbatches of all replicas
    double gradient_norm = 0;      ///< over all parameters of the model, before clipping

    bool finite() const;
};

/// Exchanges the facts among the ranks of `layout`. `trainer` is null for synthetic jobs: loss and
/// norm are then 0. Sums are taken in rank order, so that they are the same bits in every run.
/// `microbatches`: of one replica.
IterationFacts exchange_facts(const RankIteration& iteration, const Trainer* trainer,
                              const Layout& layout, int microbatches);

/// The factor on the gradients that brings their norm to at most `clip_norm`; 1 where that is 0.
double clip_factor(double gradient_norm, double clip_norm);

/// The latest `ms` of all ranks.
double latest(double ms);

}  // namespace rrfp
