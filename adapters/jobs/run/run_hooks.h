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
    /// Called on rank 0 before the first iteration, where a checkpoint is continued: from which.
    std::function<void(const std::string&)> resumed;
    /// Called on rank 0 with a line that the user should know, before the first iteration.
    std::function<void(const std::string&)> warned;
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
    /// `exit_code` of every rank: 2 where nothing was started, for what the user gave.
    explicit RunStopped(const std::string& message, int exit_code = 1)
        : std::runtime_error(message), exit_code_(exit_code) {}

    int exit_code() const { return exit_code_; }

  private:
    int exit_code_;
};

}  // namespace rrfp
