#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <starpu.h>

#include "runtime/core/dispatcher.h"
#include "runtime/core/metrics.h"
#include "runtime/core/tensor.h"
#include "runtime/starpu/agreement_options.h"
#include "runtime/starpu/failure.h"
#include "runtime/starpu/runtime.h"

namespace rrfp {

/// What executes a task: the codelets' business, seen from below. Called on the compute worker.
/// Takes what the task reads (inputs of the stage; for backward and weight gradient also the
/// gradients of its outputs) and returns what it writes.
using TaskBody = std::function<TensorList(const Task& task, std::uint64_t iteration,
                                          const TensorList& inputs, const TensorList& gradients)>;

struct RunnerOptions {
    /// Microbatches submitted at once, the same at every rank: what `submission_window` says. 0 is
    /// all of them, which is always enough; the memory of handles and tasks then grows with M.
    int window = 0;
    /// Delay, milliseconds, of the message that carries the result of a task; kept by a timer, so
    /// that messages may overtake. Null means none; `run` refuses a negative one and NaN.
    std::function<double(std::uint64_t iteration, const Task& producer)> message_delay;
    /// The rank in MPI_COMM_WORLD of each pipeline rank; empty means the same numbers.
    std::vector<int> world_ranks;
    /// The ranks that must run their tasks in the same order as this one, as those of a
    /// tensor-parallel group: all of them make their runners and call `run` in the same order.
    AgreementOptions agreement{};
    /// Called on the compute worker once all backwards of a chunk, or weight gradients where the
    /// backward is split, have ended in an iteration, ahead of whatever else is ready there; other
    /// chunks go on after it. `run` returns after the last such call. An exception out of it ends
    /// the iteration at this rank. Null means none; evaluation has none.
    std::function<void(int chunk)> chunk_finished;
    /// Where the calling thread is the worker: called there at least every 20 ms between tasks,
    /// with no lock held. An exception out of it ends the iteration on all ranks, and `run` with
    /// it.
    std::function<void()> interruption;
};

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
