#pragma once

#include <memory>
#include <optional>

#include "adapters/jobs/run/rank_checkpoints.h"
#include "adapters/jobs/run/rank_program.h"
#include "adapters/jobs/run/rank_record.h"
#include "adapters/jobs/run/rank_runners.h"
#include "adapters/jobs/run/rank_world.h"
#include "adapters/jobs/run/run_hooks.h"
#include "adapters/jobs/run/schedule_replay.h"
#include "adapters/jobs/training/iteration_end.h"

namespace rrfp {

/// One rank's iterations, from the first or the one after a checkpoint to the last.
class RankLoop {
  public:
    /// The arguments outlive it. Collective over all ranks.
    RankLoop(const Job& job, const Plan& plan, const RunHooks& hooks, Runtime& runtime);

    /// As `run_rank`.
    std::optional<RunResult> run();

  private:
    void train(int iteration);
    void step(int iteration, const IterationFacts& facts);
    void evaluate(int iteration);
    /// Asks whether the fixed order is faster, and follows it where the job says so.
    void judge_order();

    const Job& job_;
    const RunHooks& hooks_;
    RankWorld world_;
    RankProgram program_;
    RankCheckpoints checkpoints_;
    RankRunners runners_;
    ScheduleReplay replay_;
    RankRecord record_;
};

}  // namespace rrfp
