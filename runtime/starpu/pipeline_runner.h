#pragma once

#include <memory>
#include <optional>

#include "runtime/core/dispatcher.h"
#include "runtime/core/metrics.h"
#include "runtime/starpu/failing/failure.h"
#include "runtime/starpu/iteration/runner_options.h"
#include "runtime/starpu/runtime.h"

namespace rrfp {

/// Runs iterations of one rank's part of a pipeline as StarPU tasks with data dependencies, which
/// the policy arbitrates through `dispatcher`; StarPU-MPI moves results between ranks, matched by
/// identity. Not thread-safe. A process may own several runners (training and forward-only
/// evaluation); one runs at a time and installs its dispatcher in the policy for that time. With
/// `Pipeline::forward_only` a received activation is freed when its forward completes.
///
/// `run` submits on the calling thread, which sleeps whenever the window is full, or, with
/// `WorkerThread::calling`, is the compute worker meanwhile. The compute worker runs the body;
/// StarPU-MPI's thread receives and sends; a timer's thread posts delayed sends.
class PipelineRunner {
  public:
    PipelineRunner(Runtime& runtime, const Pipeline& pipeline,
                   std::unique_ptr<Dispatcher> dispatcher, TaskBody body, RunnerOptions options);
    /// Gives back the handles. After a failure StarPU may still hold tasks and receives that
    /// nothing will ever match, and the runner's memory with them: that is left to the end of the
    /// process. With an agreement, collective over its members.
    ~PipelineRunner();

    /// The protocol in force; nothing where this rank agrees with nobody.
    std::optional<AgreementProtocol> agreement() const;

    /// Runs one iteration to the end of this rank's tasks and sends. Throws TaskFailure as soon as
    /// a task of this rank failed; the job must then be aborted. All ranks call it with the same
    /// `iteration`. The failure also reaches the ranks that wait for the failed task's results,
    /// whose `run` throws the same TaskFailure: its `rank()` tells whose it is. An arbiter that
    /// throws ends `run` with a std::runtime_error.
    RankIteration run(std::uint64_t iteration);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace rrfp
