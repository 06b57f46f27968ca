#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <torch/csrc/autograd/edge.h>

#include "adapters/autograd/backward_split.h"
#include "adapters/autograd/stage_module.h"
#include "codelets/stage_program.h"
#include "runtime/core/metrics.h"

namespace rrfp {

struct AutogradOptions {
    int last_stage = 0;
    int microbatches = 1;  ///< of an iteration over all replicas: gradients are of their mean loss
    bool recompute = false;     ///< keep no graph, run the forward again before the backward
    bool split_weight = false;  ///< weight gradients are left to `weight_gradient`
    int threads = 1;            ///< intra-op threads
};

/// A StageProgram over torch autograd. Between F and B of a microbatch it keeps the graph, but not
/// the output's storage; B frees it, where the backward is split down to what W needs (see
/// backward_split.h), and W the rest. Parameter gradients accumulate into `.grad` in the order in
/// which backwards run, or weight gradients where the backward is split: the same sums, bit for
/// bit, when both are in microbatch order. Inputs of a floating-point type get a gradient where
/// they influenced the output, others none. Not thread-safe: called by one thread at a time.
class AutogradProgram : public StageProgram {
  public:
    explicit AutogradProgram(AutogradOptions options) : options_(options) {}

    void add_stage(int stage, std::unique_ptr<StageModule> module);

    /// Forgets the losses of the iteration before. With `evaluate` forwards keep nothing. Stages
    /// see microbatch m as `first_microbatch` + m, its number over all replicas.
    /// std::logic_error when microbatches of the iteration before wait for their backward or weight
    /// gradient.
    void begin_iteration(bool evaluate, int first_microbatch = 0);
    /// Sum of the losses that the last stage has computed since, in microbatch order.
    double loss_sum() const;
    /// Graphs kept for a backward.
    std::size_t kept() const { return kept_.size(); }
    /// What of them is kept for a weight gradient: an entry is a microbatch of a stage; bytes are
    /// those of tensors that the graph has made, without what the stage has received. High waters
    /// begin anew with each iteration.
    const Occupancy& kept_for_weights() const { return weights_occupancy_; }

    TensorList forward(const TaskContext& context, const TensorList& inputs) override;
    TensorList backward(const TaskContext& context, const TensorList& inputs,
                        const TensorList& gradients) override;
    /// Reads neither `inputs` nor `gradients`: what it needs of them, the graph has kept.
    void weight_gradient(const TaskContext& context, const TensorList& inputs,
                         const TensorList& gradients) override;

  private:
    /// What a backward starts from: the inputs as leaves, and where each output is in the graph.
    struct Graph {
        std::vector<at::Tensor> inputs;
        std::vector<torch::autograd::Edge> outputs;
        std::int64_t bytes = 0;  // allocated for it; counted where the backward is split
    };
    /// What a weight gradient starts from.
    struct Weights {
        BackwardRoots roots;
        std::int64_t bytes = 0;
    };

    std::vector<at::Tensor> compute(const TaskContext& context,
                                    const std::vector<at::Tensor>& inputs);
    /// The forward with its graph; `outputs`, where given, receives the values.
    Graph trace(const TaskContext& context, const TensorList& inputs,
                std::vector<at::Tensor>* outputs);
    /// As `trace`, and counts what it allocates.
    Graph counted_trace(const TaskContext& context, const TensorList& inputs,
                        std::vector<at::Tensor>& outputs);
    Graph take_graph(const TaskContext& context, const TensorList& inputs);
    std::vector<at::Tensor> input_gradients(const TaskContext& context, const TensorList& inputs,
                                            const TensorList& gradients);
    /// As input_gradients, and keeps the rest for the weight gradient.
    std::vector<at::Tensor> first_half(const TaskContext& context, const TensorList& inputs,
                                       const TensorList& gradients);
    /// The gradients of the outputs, where they enter the graph.
    BackwardRoots roots_of(const Graph& graph, const TaskContext& context,
                           const TensorList& gradients) const;
    void record_loss(const TaskContext& context, const std::vector<at::Tensor>& outputs);
    bool last(const TaskContext& context) const {
        return context.task.stage == options_.last_stage;
    }

    AutogradOptions options_;
    bool evaluate_ = false;
    int first_microbatch_ = 0;
    std::map<int, std::unique_ptr<StageModule>> modules_;      // by stage
    std::map<std::pair<int, int>, Graph> kept_;                // by stage and microbatch
    std::map<std::pair<int, int>, Weights> kept_for_weights_;  // likewise
    Occupancy weights_occupancy_;
    std::map<int, double> losses_;  // by microbatch
};

}  // namespace rrfp
