#pragma once

#include <cstdint>
#include <string_view>

#include <ATen/core/TensorBody.h>

#include "adapters/autograd/stage_module.h"
#include "adapters/gpt/layers/tensor_group.h"

namespace rrfp {

/// Dropout of probability `probability` (0 <= p < 1) over training microbatches; nothing in
/// evaluation. The mask depends on (seed, iteration, microbatch, site) alone, `site` being the name
/// of a place in the whole model: neither the order of tasks, nor recomputation, nor how the model
/// is cut, into stages or over a tensor group, changes it.
class Dropout {
  public:
    Dropout(double probability, std::uint64_t seed, TensorGroup group = {})
        : probability_(probability), seed_(seed), group_(group) {}

    /// `input`: [batch, sequence, hidden], of the sequence the group's part.
    at::Tensor operator()(const at::Tensor& input, const Microbatch& microbatch,
                          std::string_view site) const;

  private:
    double probability_;
    std::uint64_t seed_;
    TensorGroup group_;
};

}  // namespace rrfp
