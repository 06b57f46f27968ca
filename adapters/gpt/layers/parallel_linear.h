#pragma once

#include <string>

#include <ATen/core/TensorBody.h>

#include "adapters/gpt/layers/linear.h"
#include "adapters/gpt/layers/parameters.h"

namespace rrfp {

/// A linear layer whose outputs are divided over the tensor group: each rank computes its own from
/// the whole input. With sequence parallelism the gathered input is kept for the weight gradient,
/// which then needs no collective.
class ColumnLinear {
  public:
    /// Sizes are the whole layer's. `blocks`: see Cut.
    ColumnLinear(ParameterList& parameters, const std::string& name, LinearSize size,
                 double deviation, bool bias = true, int blocks = 1);
    at::Tensor operator()(const at::Tensor& input) const { return linear_(group_.enter(input)); }

  private:
    TensorGroup group_;
    Linear linear_;
};

/// A linear layer whose inputs are divided: each rank's product is a part of the sum, and the
/// offset, held whole by every rank, is added once to the sum.
class RowLinear {
  public:
    RowLinear(ParameterList& parameters, const std::string& name, LinearSize size,
              double deviation);
    at::Tensor operator()(const at::Tensor& input) const;

  private:
    TensorGroup group_;
    Linear linear_;
    at::Tensor bias_;  // undefined on a rank alone: `linear_` has it
};

}  // namespace rrfp
