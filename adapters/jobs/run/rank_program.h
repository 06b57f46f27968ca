#pragma once

#include <memory>

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/run/rank_world.h"
#include "adapters/jobs/run/run_hooks.h"
#include "adapters/jobs/training/trainer.h"
#include "codelets/stage_program.h"

namespace rrfp {

/// What one rank computes for a job: timed stages, or a trained model whose tasks are stretched
/// where the job asks for jitter or given durations.
class RankProgram {
  public:
    /// Throws std::logic_error for a gpt job without `hooks.make_trainer`.
    RankProgram(const Job& job, const RunHooks& hooks, const RankWorld& world);

    StageProgram& stages() { return *stages_; }
    /// Null for synthetic jobs.
    Trainer* trainer() { return trainer_.get(); }

  private:
    std::unique_ptr<Trainer> trainer_;
    std::unique_ptr<StageProgram> own_;  // timed stages, or the stretched program of the trainer
    StageProgram* stages_ = nullptr;
};

}  // namespace rrfp
