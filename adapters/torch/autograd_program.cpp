#include "adapters/torch/autograd_program.h"

#include <stdexcept>

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

#include "adapters/torch/dlpack_bridge.h"

namespace rrfp {
namespace {

/// The number of threads is a setting of each thread, and tasks run on whichever is the worker.
void use_threads(int threads) {
    thread_local int in_force = 0;
    if (in_force == threads) return;
    at::set_num_threads(threads);
    in_force = threads;
}

/// Runs `work`; torch's errors leave it without the stack trace they carry.
template <class Work>
auto plain_errors(Work&& work) {
    try {
        return work();
    } catch (const c10::Error& error) {
        throw std::runtime_error(error.what_without_backtrace());
    }
}

at::Tensor dense_gradient(const at::Tensor& leaf) {
    if (!leaf.defined()) return {};
    const at::Tensor& gradient = leaf.grad();
    return gradient.defined() ? gradient.contiguous() : at::Tensor();
}

}  // namespace

void AutogradProgram::add_stage(int stage, std::unique_ptr<StageModule> module) {
    modules_[stage] = std::move(module);
}

void AutogradProgram::begin_iteration(bool evaluate) {
    if (!kept_.empty()) {
        const auto& [stage, microbatch] = kept_.begin()->first;
        throw std::logic_error(
            fmt::format("a new iteration begins, but microbatch {} on stage {} has had no backward",
                        microbatch, stage));
    }
    evaluate_ = evaluate;
    losses_.clear();
}

double AutogradProgram::loss_sum() const {
    double sum = 0;
    for (const auto& [microbatch, loss] : losses_) sum += loss;
    return sum;
}

TensorList AutogradProgram::forward(const TaskContext& context, const TensorList& inputs) {
    use_threads(options_.threads);
    return plain_errors([&] {
        std::vector<at::Tensor> outputs;
        if (evaluate_ || options_.recompute) {
            const c10::AutoGradMode no_graph(false);
            outputs = compute(context, to_torch(inputs));
        } else {
            Graph graph = trace(context, inputs, &outputs);
            kept_[{context.task.stage, context.task.microbatch}] = std::move(graph);
        }
        if (last(context)) record_loss(context, outputs);
        return from_torch(outputs);
    });
}

TensorList AutogradProgram::backward(const TaskContext& context, const TensorList& inputs,
                                     const TensorList& gradients) {
    use_threads(options_.threads);
    return plain_errors([&] {
        const Graph graph = take_graph(context, inputs);
        differentiate(graph, context, gradients);
        TensorList result;
        for (const at::Tensor& input : graph.inputs) {
            result.push_back(from_torch(dense_gradient(input)));
        }
        return result;
    });
}

void AutogradProgram::weight_gradient(const TaskContext& context, const TensorList&,
                                      const TensorList&) {
    throw std::logic_error(fmt::format(
        "stage {}, microbatch {}: this model's backward is not split; set schedule.split_weight = "
        "false",
        context.task.stage, context.task.microbatch));
}

std::vector<at::Tensor> AutogradProgram::compute(const TaskContext& context,
                                                 const std::vector<at::Tensor>& inputs) {
    const auto& [kind, stage, microbatch] = context.task;
    return modules_.at(stage)->forward(
        {.iteration = context.iteration, .index = microbatch, .evaluate = evaluate_}, inputs);
}

AutogradProgram::Graph AutogradProgram::trace(const TaskContext& context, const TensorList& inputs,
                                              std::vector<at::Tensor>* outputs) {
    const c10::AutoGradMode with_graph(true);
    Graph graph{.inputs = to_torch(inputs), .outputs = {}};
    for (at::Tensor& input : graph.inputs) {
        if (input.defined() && input.is_floating_point()) input.set_requires_grad(true);
    }
    std::vector<at::Tensor> values = compute(context, graph.inputs);
    for (const at::Tensor& value : values) {
        const bool differentiable = value.defined() && value.requires_grad();
        graph.outputs.push_back(differentiable ? torch::autograd::impl::gradient_edge(value)
                                               : torch::autograd::Edge());
    }
    if (outputs) *outputs = std::move(values);
    return graph;
}

AutogradProgram::Graph AutogradProgram::take_graph(const TaskContext& context,
                                                   const TensorList& inputs) {
    if (options_.recompute) return trace(context, inputs, nullptr);
    auto entry = kept_.extract({context.task.stage, context.task.microbatch});
    if (entry.empty()) {
        throw std::logic_error(
            fmt::format("backward of microbatch {} on stage {} without a forward",
                        context.task.microbatch, context.task.stage));
    }
    return std::move(entry.mapped());
}

void AutogradProgram::differentiate(const Graph& graph, const TaskContext& context,
                                    const TensorList& gradients) {
    torch::autograd::edge_list roots;
    torch::autograd::variable_list seeds;
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
        if (!graph.outputs[i].is_valid()) continue;
        // The 1/M of the mean enters here, once; from here on gradients carry it.
        at::Tensor seed = last(context) ? at::scalar_tensor(1.0 / options_.microbatches)
                                        : to_torch(gradients.at(i));
        if (!seed.defined()) continue;
        roots.push_back(graph.outputs[i]);
        seeds.push_back(std::move(seed));
    }
    if (roots.empty()) return;  // everything up to here is frozen
    torch::autograd::Engine::get_default_engine().execute(
        roots, seeds, /*keep_graph=*/false, /*create_graph=*/false, /*accumulate_grad=*/true);
}

void AutogradProgram::record_loss(const TaskContext& context,
                                  const std::vector<at::Tensor>& outputs) {
    if (outputs.size() != 1 || outputs.front().numel() != 1) {
        throw std::logic_error(
            fmt::format("the last stage, {}, must return one scalar loss; it returned {} tensors",
                        context.task.stage, outputs.size()));
    }
    losses_[context.task.microbatch] = outputs.front().item<double>();
}

}  // namespace rrfp
