#pragma once

#include <ATen/core/TensorBody.h>

#include "adapters/collectives/collectives.h"

namespace rrfp {

/// Collectives as differentiable functions of float32 tensors on the CPU, each with its transpose
/// as gradient (the functions f and g of Shoeybi et al., "Megatron-LM: Training Multi-Billion
/// Parameter Language Models Using Model Parallelism", 2019; the gather and scatter of Korthikanti
/// et al., "Reducing Activation Recomputation in Large Transformer Models", 2022). The group
/// outlives the graph. Every rank calls the same functions, and runs their backwards, in one order.

/// The same tensor; its gradient is summed over the group.
at::Tensor sum_of_gradients(const at::Tensor& input, Collectives& group);
/// The sum over the group; its gradient passes as it is.
at::Tensor sum_over(const at::Tensor& input, Collectives& group);
/// The ranks' tensors joined along `dimension`; each gets its part of the summed gradient.
at::Tensor join_parts(const at::Tensor& part, std::int64_t dimension, Collectives& group);
/// This rank's part along `dimension` of the sum; its gradient is the ranks' joined.
at::Tensor part_of_sum(const at::Tensor& whole, std::int64_t dimension, Collectives& group);

/// The dense elements of a float32 tensor, for a collective.
Elements elements_of(at::Tensor& tensor);

}  // namespace rrfp
