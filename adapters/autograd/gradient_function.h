#pragma once

#include <functional>

#include <ATen/core/TensorBody.h>

namespace rrfp {

/// Of one output's gradient that of the one input.
using GradientFunction = std::function<at::Tensor(const at::Tensor& gradient)>;

/// `value`, computed from `input` outside every graph, as a node of the graph that `input` is in,
/// differentiated by `gradient`. Where no graph is recorded, `value` as it is.
at::Tensor differentiable(const at::Tensor& input, at::Tensor value, GradientFunction gradient);

}  // namespace rrfp
