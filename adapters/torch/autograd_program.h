#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <torch/csrc/autograd/edge.h>

#include "adapters/torch/stage_module.h"
#include "codelets/stage_program.h"

namespace rrfp {

struct AutogradOptions {
    int last_stage = 0;
    int microbatches = 1;    ///< of an iteration: gradients are of the mean of their losses
    bool recompute = false;  ///< keep no graph, run the forward again before the backward
    int threads = 1;         ///< intra-op threads
};

/// A StageProgram over torch autograd. Between F and B of a microbatch it keeps the graph, but not
/// the output's storage; B frees it. Parameter gradients accumulate into `.grad` in the order in
/// which backwards run. Inputs of a floating-point type get a gradient where they influenced the
/// output, others none. Not thread-safe: called by one thread at a time.
class AutogradProgram : public StageProgram {
  public:
    explicit AutogradProgram(AutogradOptions options) : options_(options) {}

    void add_stage(int stage, std::unique_ptr<StageModule> module);

    /// Forgets the losses of the iteration before. With `evaluate` forwards keep nothing.
    /// std::logic_error when forwards of the iteration before still wait for their backward.
    void begin_iteration(bool evaluate);
    /// Sum of the losses that the last stage has computed since, in microbatch order.
    double loss_sum() const;
    /// Graphs kept for a backward.
    std::size_t kept() const { return kept_.size(); }

    TensorList forward(const TaskContext& context, const TensorList& inputs) override;
    TensorList backward(const TaskContext& context, const TensorList& inputs,
                        const TensorList& gradients) override;
    /// Always std::logic_error: a backward here computes input and weight gradients at once.
    void weight_gradient(const TaskContext& context, const TensorList& inputs,
                         const TensorList& gradients) override;

  private:
    /// What a backward starts from: the inputs as leaves, and where each output is in the graph.
    struct Graph {
        std::vector<at::Tensor> inputs;
        std::vector<torch::autograd::Edge> outputs;
    };

    std::vector<at::Tensor> compute(const TaskContext& context,
                                    const std::vector<at::Tensor>& inputs);
    /// The forward with its graph; `outputs`, where given, receives the values.
    Graph trace(const TaskContext& context, const TensorList& inputs,
                std::vector<at::Tensor>* outputs);
    Graph take_graph(const TaskContext& context, const TensorList& inputs);
    void differentiate(const Graph& graph, const TaskContext& context, const TensorList& gradients);
    void record_loss(const TaskContext& context, const std::vector<at::Tensor>& outputs);
    bool last(const TaskContext& context) const {
        return context.task.stage == options_.last_stage;
    }

    AutogradOptions options_;
    bool evaluate_ = false;
    std::map<int, std::unique_ptr<StageModule>> modules_;  // by stage
    std::map<std::pair<int, int>, Graph> kept_;            // by stage and microbatch
    std::map<int, double> losses_;                         // by microbatch
};

}  // namespace rrfp
