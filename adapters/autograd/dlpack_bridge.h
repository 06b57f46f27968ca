#pragma once

#include <vector>

#include <ATen/core/TensorBody.h>

#include "runtime/core/tensor.h"

namespace rrfp {

/// `tensor` as a torch tensor over the same storage, which lives as long as either; undefined stays
/// undefined. Outside every autograd graph.
at::Tensor to_torch(const Tensor& tensor);
std::vector<at::Tensor> to_torch(const TensorList& tensors);

/// The values of `tensor`, sharing its storage, which lives as long as either; undefined stays
/// undefined. What `tensor` was computed from is not kept alive.
Tensor from_torch(const at::Tensor& tensor);
TensorList from_torch(const std::vector<at::Tensor>& tensors);

}  // namespace rrfp
