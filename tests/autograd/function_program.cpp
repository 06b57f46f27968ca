#include "tests/autograd/function_program.h"

#include <ATen/core/Tensor.h>

#include "adapters/autograd/dlpack_bridge.h"

namespace rrfp::test {

AutogradProgram program_of(std::vector<Function> functions, AutogradOptions options) {
    options.last_stage = static_cast<int>(functions.size()) - 1;
    AutogradProgram program(options);
    for (std::size_t stage = 0; stage < functions.size(); ++stage) {
        program.add_stage(static_cast<int>(stage),
                          std::make_unique<FunctionModule>(std::move(functions[stage])));
    }
    return program;
}

std::vector<Values> run(AutogradProgram& program, int stages, int microbatch, bool weights) {
    std::vector<TensorList> outputs;
    for (int stage = 0; stage < stages; ++stage) {
        outputs.push_back(program.forward(at_task(TaskKind::forward, stage, microbatch),
                                          stage > 0 ? outputs.back() : TensorList{}));
    }
    std::vector<Values> gradients(static_cast<std::size_t>(stages));
    TensorList gradient = outputs.back();
    for (int stage = stages - 1; stage >= 0; --stage) {
        gradient = program.backward(at_task(TaskKind::backward, stage, microbatch),
                                    stage > 0 ? outputs[stage - 1] : TensorList{}, gradient);
        gradients[stage] = to_torch(gradient);
    }
    for (int stage = 0; weights && stage < stages; ++stage) {
        program.weight_gradient(at_task(TaskKind::weight_gradient, stage, microbatch), {}, {});
    }
    return gradients;
}

}  // namespace rrfp::test
