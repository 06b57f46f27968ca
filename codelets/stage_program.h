#pragma once

#include "runtime/core/task.h"
#include "runtime/core/tensor.h"

namespace rrfp {

/// Which execution of a task this is.
struct TaskContext {
    Task task;
    std::uint64_t iteration = 0;
};

/// What a rank's stages compute. One object a rank; its functions are called by the rank's compute
/// worker, one at a time. Whatever it keeps between the forward and the backward of a microbatch
/// (activations) it keeps itself and frees at the backward. An exception ends the job with its
/// message, the rank, stage and microbatch.
class StageProgram {
  public:
    virtual ~StageProgram() = default;

    /// `inputs`: what the previous stage returned, empty on stage 0. Returns what the next stage
    /// reads; the last stage's result goes to its own backward instead.
    virtual TensorList forward(const TaskContext& context, const TensorList& inputs) = 0;

    /// `inputs` as in forward; `gradients`: the gradients of this stage's outputs, entry by entry,
    /// undefined where an output has none; on the last stage, what its forward returned. Returns
    /// the gradients of `inputs` entry by entry; ignored on stage 0.
    virtual TensorList backward(const TaskContext& context, const TensorList& inputs,
                                const TensorList& gradients) = 0;

    /// Only where the backward is split: the weight gradients that `backward` left out.
    virtual void weight_gradient(const TaskContext& context, const TensorList& inputs,
                                 const TensorList& gradients) = 0;
};

}  // namespace rrfp
