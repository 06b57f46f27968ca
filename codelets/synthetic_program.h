#pragma once

#include "codelets/stage_program.h"
#include "runtime/core/jitter.h"
#include "runtime/core/pipeline.h"

namespace rrfp {

/// How timed stages spend their time and what they hand on.
struct SyntheticOptions {
    StageTimes times;
    Jitter jitter;
    bool sleep = true;  ///< false keeps the core busy instead
    std::int64_t message_bytes = 2048;
};

/// Stages that only take their time: a task lasts its base duration times the factor that `jitter`
/// draws for it, which is what the simulator draws too. Each result is one uint8 tensor of
/// `message_bytes`; from 16 bytes on it is stamped with the task that wrote it, and every task
/// checks that what it reads was written by the task it should be: std::runtime_error otherwise.
class SyntheticProgram final : public StageProgram {
  public:
    /// Throws std::invalid_argument for negative durations or message bytes.
    SyntheticProgram(const Pipeline& pipeline, const SyntheticOptions& options);

    TensorList forward(const TaskContext& context, const TensorList& inputs) override;
    TensorList backward(const TaskContext& context, const TensorList& inputs,
                        const TensorList& gradients) override;
    void weight_gradient(const TaskContext& context, const TensorList& inputs,
                         const TensorList& gradients) override;

  private:
    void check(const TaskContext& reader, const TensorList& tensors,
               const TaskContext& writer) const;
    void check_inputs(const TaskContext& reader, const TensorList& inputs) const;
    void check_gradients(const TaskContext& reader, const TensorList& gradients) const;
    /// Spends what is left of the task's duration since `start_ms`.
    void spend(const TaskContext& context, double start_ms) const;
    TensorList result(const TaskContext& context) const;

    Pipeline pipeline_;
    SyntheticOptions options_;
};

}  // namespace rrfp
