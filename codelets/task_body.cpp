#include "codelets/task_body.h"

namespace rrfp {

TaskBody make_task_body(StageProgram& program) {
    return [&program](const Task& task, std::uint64_t iteration, const TensorList& inputs,
                      const TensorList& gradients) -> TensorList {
        const TaskContext context{.task = task, .iteration = iteration};
        switch (task.kind) {
            case TaskKind::forward:
                return program.forward(context, inputs);
            case TaskKind::backward:
                return program.backward(context, inputs, gradients);
            case TaskKind::weight_gradient:
                program.weight_gradient(context, inputs, gradients);
                return {};
        }
        return {};
    };
}

}  // namespace rrfp
