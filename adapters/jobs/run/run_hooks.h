#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/report/report.h"
#include "adapters/jobs/training/trainer.h"

namespace rrfp {

/// What rank 0 tells of an iteration that has ended.
struct IterationNews {
    int iteration = 0;   ///< 0-based
    int iterations = 0;  ///< of the whole job
    IterationResult result;
};

struct RunHooks {
    /// Called on rank 0 after each iteration.
    std::function<void(const IterationNews&)> iteration_ended;
    /// Called on rank 0 after an evaluation pass that followed `iteration`.
    std::function<void(int iteration, double loss)> evaluated;
    /// Called on rank 0 with the result of all ranks as soon as it is there, before the runtime
    /// shuts down: what it writes is safe whatever happens to a rank after that.
    std::function<void(const RunResult&)> finished;
    /// Makes the trainer of a gpt job, so that this file needs no torch.
    std::function<std::unique_ptr<Trainer>(const Job&, int pipeline_rank, const RankGroups&)>
        make_trainer;
    /// Folder for StarPU's trace of this run; empty means none.
    std::string trace_folder;
};

/// The job cannot go on, although no task failed: every rank knows and ends in order. The message
/// says what, where and the remedy.
class RunStopped : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace rrfp
