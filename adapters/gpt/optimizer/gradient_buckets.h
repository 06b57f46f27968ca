#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <ATen/core/TensorBody.h>

#include "adapters/gpt/layers/parameters.h"

namespace rrfp {

/// Lays the gradients of `parameters` one after the other into as few buffers as hold at most
/// `bucket_elements` each, a larger gradient by itself, and returns the buffers, one-dimensional.
/// The parameters' `.grad` are views of them from now on, with their values: what reduces a buffer
/// reduces the gradients, and nothing is copied.
std::vector<at::Tensor> bucket_gradients(std::span<const Parameter> parameters,
                                         std::size_t bucket_elements);

}  // namespace rrfp
