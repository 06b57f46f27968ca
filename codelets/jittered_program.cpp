#include "codelets/jittered_program.h"

#include "codelets/timing.h"

namespace rrfp {

JitteredProgram::JitteredProgram(StageProgram& inner, const Jitter& jitter, const StageTimes& times,
                                 bool split_weight)
    : inner_(inner), jitter_(jitter), times_(times), split_weight_(split_weight) {}

TensorList JitteredProgram::forward(const TaskContext& context, const TensorList& inputs) {
    const double start = monotonic_ms();
    TensorList result = inner_.forward(context, inputs);
    lengthen(context, start);
    return result;
}

TensorList JitteredProgram::backward(const TaskContext& context, const TensorList& inputs,
                                     const TensorList& gradients) {
    const double start = monotonic_ms();
    TensorList result = inner_.backward(context, inputs, gradients);
    lengthen(context, start);
    return result;
}

void JitteredProgram::weight_gradient(const TaskContext& context, const TensorList& inputs,
                                      const TensorList& gradients) {
    const double start = monotonic_ms();
    inner_.weight_gradient(context, inputs, gradients);
    lengthen(context, start);
}

void JitteredProgram::lengthen(const TaskContext& context, double start_ms) const {
    const double own = monotonic_ms() - start_ms;
    const double base = times_.base_ms(context.task, split_weight_);
    const double factor = jitter_.task_factor(context.iteration, context.task);
    const double wanted = (base > 0 ? base : own) * factor;
    if (wanted > own) {
        sleep_until_ms(start_ms + wanted);
    }
}

}  // namespace rrfp
