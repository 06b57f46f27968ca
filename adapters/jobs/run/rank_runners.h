#pragma once

#include <memory>

#include "adapters/jobs/run/rank_program.h"
#include "adapters/jobs/run/rank_world.h"
#include "adapters/plan/plan.h"
#include "runtime/starpu/pipeline_runner.h"
#include "runtime/starpu/runtime.h"

namespace rrfp {

/// What runs a rank's tasks: a runner for training, and one for evaluation passes where there are
/// any.
class RankRunners {
  public:
    /// The arguments outlive it. Collective over all ranks.
    RankRunners(Runtime& runtime, const Job& job, const Plan& plan, const RankWorld& world,
                RankProgram& program);

    PipelineRunner& training() { return *training_; }
    /// Training goes on under `schedule`, between two iterations. Collective over all ranks.
    void follow(const ScheduleOptions& schedule);
    /// Made by the first call, which is collective over all ranks.
    PipelineRunner& evaluation();

  private:
    std::unique_ptr<PipelineRunner> make(const Pipeline& pipeline, const ScheduleOptions& schedule,
                                         int window) const;

    Runtime& runtime_;
    const Job& job_;
    const Plan& plan_;
    const RankWorld& world_;
    RankProgram& program_;
    std::unique_ptr<PipelineRunner> training_;
    std::unique_ptr<PipelineRunner> evaluation_;
};

}  // namespace rrfp
