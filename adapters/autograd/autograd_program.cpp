#include "adapters/autograd/autograd_program.h"

#include <stdexcept>

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/variable.h>

#include "adapters/autograd/allocated_bytes.h"
#include "adapters/autograd/dlpack_bridge.h"

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

/// Gradients as they go to the stage before: dense, since a receiver reads them so.
std::vector<at::Tensor> dense(std::vector<at::Tensor> gradients) {
    for (at::Tensor& gradient : gradients) {
        if (gradient.defined()) gradient = gradient.contiguous();
    }
    return gradients;
}

std::vector<at::Tensor> gradients_of(const std::vector<at::Tensor>& leaves) {
    std::vector<at::Tensor> result;
    for (const at::Tensor& leaf : leaves) {
        result.push_back(leaf.defined() ? leaf.grad() : at::Tensor());
    }
    return result;
}

template <class Kept>
void require_none(const Kept& kept, const char* missing) {
    if (kept.empty()) return;
    const auto& [stage, microbatch] = kept.begin()->first;
    throw std::logic_error(
        fmt::format("a new iteration begins, but microbatch {} on stage {} has had no {}",
                    microbatch, stage, missing));
}

/// Takes what an earlier task of the same stage and microbatch has kept.
template <class Kept>
auto take(Kept& kept, const Task& task, const char* what, const char* earlier) {
    auto entry = kept.extract({task.stage, task.microbatch});
    if (entry.empty()) {
        throw std::logic_error(fmt::format("{} of microbatch {} on stage {} without a {}", what,
                                           task.microbatch, task.stage, earlier));
    }
    return std::move(entry.mapped());
}

}  // namespace

void AutogradProgram::add_stage(int stage, std::unique_ptr<StageModule> module) {
    modules_[stage] = std::move(module);
}

void AutogradProgram::begin_iteration(bool evaluate, int first_microbatch) {
    require_none(kept_, "backward");
    require_none(kept_for_weights_, "weight gradient");
    evaluate_ = evaluate;
    first_microbatch_ = first_microbatch;
    weights_occupancy_.reset_high_water();
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
            kept_[{context.task.stage, context.task.microbatch}] =
                options_.split_weight ? counted_trace(context, inputs, outputs)
                                      : trace(context, inputs, &outputs);
        }
        if (last(context)) record_loss(context, outputs);
        return from_torch(outputs);
    });
}

TensorList AutogradProgram::backward(const TaskContext& context, const TensorList& inputs,
                                     const TensorList& gradients) {
    use_threads(options_.threads);
    return plain_errors([&] {
        return from_torch(options_.split_weight ? first_half(context, inputs, gradients)
                                                : input_gradients(context, inputs, gradients));
    });
}

std::vector<at::Tensor> AutogradProgram::input_gradients(const TaskContext& context,
                                                         const TensorList& inputs,
                                                         const TensorList& gradients) {
    Graph graph = take_graph(context, inputs);
    const BackwardRoots roots = roots_of(graph, context, gradients);
    graph.outputs.clear();
    accumulate_gradients(roots);
    return dense(gradients_of(graph.inputs));
}

std::vector<at::Tensor> AutogradProgram::first_half(const TaskContext& context,
                                                    const TensorList& inputs,
                                                    const TensorList& gradients) {
    const AllocatedBytes allocated;
    Weights kept;
    std::vector<at::Tensor> result;
    {
        Graph graph = take_graph(context, inputs);
        kept.bytes = graph.bytes;
        BackwardRoots roots = roots_of(graph, context, gradients);
        graph.outputs.clear();
        auto [input_gradients, weights] = split_backward(std::move(roots), graph.inputs);
        kept.roots = std::move(weights);
        result = dense(std::move(input_gradients));
    }
    kept.bytes += allocated.kept_beside(result);
    weights_occupancy_.add(kept.bytes);
    kept_for_weights_[{context.task.stage, context.task.microbatch}] = std::move(kept);
    return result;
}

void AutogradProgram::weight_gradient(const TaskContext& context, const TensorList&,
                                      const TensorList&) {
    use_threads(options_.threads);
    plain_errors([&] {
        const Weights kept = take(kept_for_weights_, context.task, "weight gradient", "backward");
        weights_occupancy_.remove(kept.bytes);
        accumulate_gradients(kept.roots);
    });
}

std::vector<at::Tensor> AutogradProgram::compute(const TaskContext& context,
                                                 const std::vector<at::Tensor>& inputs) {
    const auto& [kind, stage, microbatch] = context.task;
    return modules_.at(stage)->forward({.iteration = context.iteration,
                                        .index = first_microbatch_ + microbatch,
                                        .evaluate = evaluate_},
                                       inputs);
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

AutogradProgram::Graph AutogradProgram::counted_trace(const TaskContext& context,
                                                      const TensorList& inputs,
                                                      std::vector<at::Tensor>& outputs) {
    const AllocatedBytes allocated;
    Graph graph = trace(context, inputs, &outputs);
    graph.bytes = allocated.kept_beside(outputs);
    return graph;
}

AutogradProgram::Graph AutogradProgram::take_graph(const TaskContext& context,
                                                   const TensorList& inputs) {
    if (options_.recompute) return trace(context, inputs, nullptr);
    return take(kept_, context.task, "backward", "forward");
}

BackwardRoots AutogradProgram::roots_of(const Graph& graph, const TaskContext& context,
                                        const TensorList& gradients) const {
    BackwardRoots roots;
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
        if (!graph.outputs[i].is_valid()) continue;  // everything up to here is frozen
        // The 1/M of the mean enters here, once; from here on gradients carry it.
        at::Tensor gradient = last(context) ? at::scalar_tensor(1.0 / options_.microbatches)
                                            : to_torch(gradients.at(i));
        if (gradient.defined()) roots.add(graph.outputs[i], std::move(gradient));
    }
    return roots;
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
