#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/core/agreement/agreement_options.h"
#include "runtime/core/task.h"
#include "runtime/core/tensor.h"

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

}  // namespace rrfp
