#include "adapters/gpt/layers/parallel_linear.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>

namespace rrfp {

ColumnLinear::ColumnLinear(ParameterList& parameters, const std::string& name, LinearSize size,
                           double deviation, bool bias, int blocks)
    : group_(parameters.group()),
      linear_(parameters, name, size, deviation, bias, Cut{.dimension = 0, .blocks = blocks}) {}

RowLinear::RowLinear(ParameterList& parameters, const std::string& name, LinearSize size,
                     double deviation)
    : group_(parameters.group()),
      linear_(parameters, name, size, deviation, /*bias=*/group_.alone(), Cut{.dimension = 1}) {
    if (!group_.alone()) bias_ = parameters.constant(name + ".bias", {size.outputs}, 0);
}

at::Tensor RowLinear::operator()(const at::Tensor& input) const {
    const at::Tensor sum = group_.leave(linear_(input));
    return bias_.defined() ? at::add(sum, bias_) : sum;
}

}  // namespace rrfp
