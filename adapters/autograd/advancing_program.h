#pragma once

#include "adapters/collectives/gradient_reduction.h"
#include "codelets/stage_program.h"

namespace rrfp {

/// A program that moves a reduction on before each of its tasks. Both outlive it.
class AdvancingProgram : public StageProgram {
  public:
    AdvancingProgram(StageProgram& program, GradientReduction& reduction)
        : program_(program), reduction_(reduction) {}

    TensorList forward(const TaskContext& context, const TensorList& inputs) override {
        reduction_.advance();
        return program_.forward(context, inputs);
    }
    TensorList backward(const TaskContext& context, const TensorList& inputs,
                        const TensorList& gradients) override {
        reduction_.advance();
        return program_.backward(context, inputs, gradients);
    }
    void weight_gradient(const TaskContext& context, const TensorList& inputs,
                         const TensorList& gradients) override {
        reduction_.advance();
        program_.weight_gradient(context, inputs, gradients);
    }

  private:
    StageProgram& program_;
    GradientReduction& reduction_;
};

}  // namespace rrfp
