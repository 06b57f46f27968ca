#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/TensorBody.h>

namespace rrfp {

struct Parameter {
    std::string name;  ///< over the whole model, e.g. `blocks.3.attention.qkv.weight`
    at::Tensor value;  ///< float32, dense, requires grad
};

/// The parameters of the stages of one rank. Each one's first value depends on (seed, name) alone,
/// so that it is the same however the model is cut. Gradients exist from the start, as zeros: their
/// memory is constant and the first backward adds to them like every other.
class ParameterList {
  public:
    explicit ParameterList(std::uint64_t seed) : seed_(seed) {}

    /// A new parameter of independent normal values with mean 0.
    at::Tensor normal(const std::string& name, std::vector<std::int64_t> shape, double deviation);
    at::Tensor constant(const std::string& name, std::vector<std::int64_t> shape, double value);

    std::span<const Parameter> all() const { return parameters_; }
    void zero_gradients();
    /// Sum of squares of all gradients, in double precision, parameter by parameter.
    double gradient_square_sum() const;

  private:
    at::Tensor add(const std::string& name, at::Tensor value);

    std::uint64_t seed_;
    std::vector<Parameter> parameters_;
};

}  // namespace rrfp
