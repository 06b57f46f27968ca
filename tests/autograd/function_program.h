#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "adapters/autograd/autograd_program.h"

namespace rrfp::test {

using Values = std::vector<at::Tensor>;
using Function = std::function<Values(const Microbatch&, const Values&)>;

/// A stage that is a function.
class FunctionModule : public StageModule {
  public:
    explicit FunctionModule(Function function) : function_(std::move(function)) {}
    Values forward(const Microbatch& microbatch, const Values& inputs) override {
        return function_(microbatch, inputs);
    }

  private:
    Function function_;
};

inline TaskContext at_task(TaskKind kind, int stage, int microbatch = 0) {
    return {.task = {kind, stage, microbatch}, .iteration = 0};
}

/// A program whose stages are `functions`; the last stage and other options are as given.
AutogradProgram program_of(std::vector<Function> functions, AutogradOptions options);

/// Forward and backward of one microbatch through all stages, then, with `weights`, their weight
/// gradients from the first stage on; returns the gradients of each stage's inputs, by stage.
std::vector<Values> run(AutogradProgram& program, int stages, int microbatch = 0,
                        bool weights = false);

}  // namespace rrfp::test
