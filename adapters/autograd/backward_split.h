#pragma once

#include <vector>

#include <ATen/core/TensorBody.h>
#include <torch/csrc/autograd/edge.h>

namespace rrfp {

/// Where a backward starts: places in an autograd graph, and the gradient that enters each.
struct BackwardRoots {
    std::vector<torch::autograd::Edge> edges;
    std::vector<at::Tensor> gradients;  ///< one an edge, defined

    void add(torch::autograd::Edge edge, at::Tensor gradient);
};

/// Runs the backward from `roots` into `.grad` of every leaf that it reaches, and frees the graph
/// on its way.
void accumulate_gradients(const BackwardRoots& roots);

struct InputGradients {
    std::vector<at::Tensor> gradients;  ///< one an input; undefined where it has none
    BackwardRoots weights;              ///< for accumulate_gradients: what all others still need
};

/// The first half of a split backward: the gradients of `inputs`, leaves of the graph, and no
/// others. What it computes is what an unsplit backward computes for them, bit for bit; the second
/// half, `accumulate_gradients(weights)`, does the rest of it, with every sum in the same order.
/// The zero-bubble split of Qi et al. (ICLR 2024), for any graph: weights used several times,
/// operators with several results, sums over several outputs.
///
/// Call the *input nodes* those from which an input is reached. An edge from an input node to
/// another node is where the graph is cut: the gradient that reached its input node is kept, and
/// its edges to input nodes are removed. So nothing of the way to the inputs is computed twice, and
/// what only that way needed (saved activations above all) is freed on return. Kept until the
/// second half: for each input node with parameters, its incoming gradient and what it saved. An
/// operator of that kind runs in both halves, each time for the gradients asked for alone: one that
/// cannot tell them apart (a custom function that ignores `needs_input_grad`) costs its time twice.
///
/// A graph without an input node (a first stage) is left to the second half as a whole.
InputGradients split_backward(BackwardRoots roots, const std::vector<at::Tensor>& inputs);

}  // namespace rrfp
