#include "adapters/gpt/layers/linear.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>

namespace rrfp {

Linear::Linear(ParameterList& parameters, const std::string& name, LinearSize size,
               double deviation, bool bias, std::optional<Cut> cut)
    : weight_(parameters.normal(name + ".weight", {size.outputs, size.inputs}, deviation, cut)) {
    if (bias) bias_ = parameters.constant(name + ".bias", {size.outputs}, 0, cut);
}

at::Tensor Linear::operator()(const at::Tensor& input) const {
    return at::linear(input, weight_, bias_.defined() ? std::optional(bias_) : std::nullopt);
}

}  // namespace rrfp
