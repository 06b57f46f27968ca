#include "codelets/synthetic_program.h"

#include <stdexcept>

#include <fmt/format.h>

#include "codelets/stamp.h"
#include "codelets/timing.h"

namespace rrfp {
namespace {

constexpr DLDataType byte_type{kDLUInt, 8, 1};

const SyntheticOptions& checked(const SyntheticOptions& options) {
    const StageTimes& times = options.times;
    if (times.forward_ms < 0 || times.weight_ms < 0 || times.backward_ms < times.weight_ms) {
        throw std::invalid_argument(
            fmt::format("synthetic stages: forward {} ms, backward {} ms, weight {} ms; durations "
                        "are 0 or more "
                        "and the weight gradient is a part of the backward",
                        times.forward_ms, times.backward_ms, times.weight_ms));
    }
    if (options.message_bytes < 0) {
        throw std::invalid_argument(fmt::format(
            "synthetic stages: message_bytes is {}; give 0 or more", options.message_bytes));
    }
    return options;
}

}  // namespace

SyntheticProgram::SyntheticProgram(const Pipeline& pipeline, const SyntheticOptions& options)
    : pipeline_(pipeline), options_(checked(options)) {}

TensorList SyntheticProgram::forward(const TaskContext& context, const TensorList& inputs) {
    const double start = monotonic_ms();
    check_inputs(context, inputs);
    spend(context, start);
    return result(context);
}

TensorList SyntheticProgram::backward(const TaskContext& context, const TensorList& inputs,
                                      const TensorList& gradients) {
    const double start = monotonic_ms();
    check_inputs(context, inputs);
    check_gradients(context, gradients);
    spend(context, start);
    return context.task.stage == 0 ? TensorList{} : result(context);
}

void SyntheticProgram::weight_gradient(const TaskContext& context, const TensorList& inputs,
                                       const TensorList& gradients) {
    const double start = monotonic_ms();
    check_inputs(context, inputs);
    check_gradients(context, gradients);
    spend(context, start);
}

void SyntheticProgram::check(const TaskContext& reader, const TensorList& tensors,
                             const TaskContext& writer) const {
    if (tensors.size() != 1 || !tensors[0].defined() ||
        tensors[0].bytes() != static_cast<std::size_t>(options_.message_bytes)) {
        const std::string found = tensors.empty()
                                      ? "no tensor"
                                      : fmt::format("{} tensors, the first {}", tensors.size(),
                                                    describe(tensors.front()));
        throw std::runtime_error(
            fmt::format("{} in iteration {} received {} in place of the {} bytes that {} returned",
                        to_action(reader.task), reader.iteration, found, options_.message_bytes,
                        to_action(writer.task)));
    }
    check_stamp(tensors[0], writer, reader);
}

void SyntheticProgram::check_inputs(const TaskContext& reader, const TensorList& inputs) const {
    const auto [kind, stage, microbatch] = reader.task;
    if (stage > 0) {
        check(reader, inputs, {{TaskKind::forward, stage - 1, microbatch}, reader.iteration});
    } else if (!inputs.empty()) {
        throw std::runtime_error(
            fmt::format("{} in iteration {} received {} inputs; stage 0 has none",
                        to_action(reader.task), reader.iteration, inputs.size()));
    }
}

void SyntheticProgram::check_gradients(const TaskContext& reader,
                                       const TensorList& gradients) const {
    const auto [kind, stage, microbatch] = reader.task;
    const Task writer = stage == pipeline_.last_stage()
                            ? Task{TaskKind::forward, stage, microbatch}
                            : Task{TaskKind::backward, stage + 1, microbatch};
    check(reader, gradients, {writer, reader.iteration});
}

void SyntheticProgram::spend(const TaskContext& context, double start_ms) const {
    const double base = options_.times.base_ms(context.task, pipeline_.split_weight);
    const double deadline =
        start_ms + base * options_.jitter.task_factor(context.iteration, context.task);
    options_.sleep ? sleep_until_ms(deadline) : spin_until_ms(deadline);
}

TensorList SyntheticProgram::result(const TaskContext& context) const {
    const std::int64_t shape[] = {options_.message_bytes};
    TensorList result = {Tensor::allocate(byte_type, shape)};
    write_stamp(result[0], context);
    return result;
}

}  // namespace rrfp
