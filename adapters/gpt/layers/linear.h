#pragma once

#include <optional>
#include <string>

#include <ATen/core/TensorBody.h>

#include "adapters/gpt/layers/parameters.h"

namespace rrfp {

/// Features of a linear layer.
struct LinearSize {
    int inputs = 1;
    int outputs = 1;
};

/// x W^T + b, of weight [outputs, inputs].
class Linear {
  public:
    /// Weights normal with `deviation`, biases 0. `size` is the whole layer's, `cut` its weight's;
    /// biases are cut with the outputs.
    Linear(ParameterList& parameters, const std::string& name, LinearSize size, double deviation,
           bool bias = true, std::optional<Cut> cut = {});
    at::Tensor operator()(const at::Tensor& input) const;

  private:
    at::Tensor weight_;
    at::Tensor bias_;  // undefined without one
};

}  // namespace rrfp
