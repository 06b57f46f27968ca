#pragma once

#include "codelets/stage_program.h"
#include "runtime/core/jitter.h"

namespace rrfp {

/// Real stages with injected jitter. A task that took t of its own and drew the factor f > 1 sleeps
/// (f - 1) t more. Where `times` gives its base duration (above 0), it is filled by sleep to that
/// duration times f instead, or not at all when it took longer by itself.
class JitteredProgram final : public StageProgram {
  public:
    /// `inner` must outlive this object.
    JitteredProgram(StageProgram& inner, const Jitter& jitter, const StageTimes& times,
                    bool split_weight);

    TensorList forward(const TaskContext& context, const TensorList& inputs) override;
    TensorList backward(const TaskContext& context, const TensorList& inputs,
                        const TensorList& gradients) override;
    void weight_gradient(const TaskContext& context, const TensorList& inputs,
                         const TensorList& gradients) override;

  private:
    /// Sleeps what the task that began at `start_ms` and has just ended still owes.
    void lengthen(const TaskContext& context, double start_ms) const;

    StageProgram& inner_;
    Jitter jitter_;
    StageTimes times_;
    bool split_weight_;
};

}  // namespace rrfp
