#pragma once

#include <starpu.h>

#include <functional>
#include <memory>

#include "runtime/core/dispatcher.h"
#include "runtime/core/metrics.h"
#include "runtime/core/tensor.h"
#include "runtime/starpu/failure.h"
#include "runtime/starpu/runtime.h"

namespace rrfp {

/// What executes a task: the codelets' business, seen from below. Called on the compute worker.
/// Takes what the task reads (inputs of the stage; for backward and weight gradient also the
/// gradients of its outputs) and returns what it writes.
using TaskBody = std::function<TensorList(const Task& task, std::uint64_t iteration,
                                          const TensorList& inputs, const TensorList& gradients)>;

struct RunnerOptions {
    /// Microbatches submitted at once, the same at every rank: at least the largest limit of any
    /// rank plus the chunks, and for `fixed` the span of its list. 0 chooses that.
    int window = 0;
    /// Delay, milliseconds, of the message that carries the result of a task; kept by a timer, so
    /// that messages may overtake. Null means none.
    std::function<double(std::uint64_t iteration, const Task& producer)> message_delay;
};

/// Runs iterations of one rank's part of a pipeline as StarPU tasks with data dependencies, which
/// the policy arbitrates through `dispatcher`; StarPU-MPI moves results between ranks, matched by
/// identity. Not thread-safe. A process may own several runners (training and forward-only
/// evaluation); one runs at a time and installs its dispatcher in the policy for that time. With
/// `Pipeline::forward_only` a received activation is freed when its forward completes.
class PipelineRunner {
  public:
    PipelineRunner(Runtime& runtime, const Pipeline& pipeline,
                   std::unique_ptr<Dispatcher> dispatcher, TaskBody body, RunnerOptions options);
    ~PipelineRunner();

    /// Runs one iteration to the end of this rank's tasks and sends. Throws TaskFailure as soon as
    /// a task of this rank failed; the job must then be aborted. All ranks call it with the same
    /// `iteration`.
    RankIteration run(std::uint64_t iteration);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace rrfp
