#pragma once

#include <nanobind/nanobind.h>

#include "runtime/core/tensor.h"

namespace rrfp::python {

/// A DLPack capsule over the same storage, which lives as long as either; None for no tensor.
nanobind::object to_capsule(const Tensor& tensor);
/// A list with one entry a tensor.
nanobind::list to_capsules(const TensorList& tensors);

/// The tensor in a DLPack capsule, which is then used up; None is no tensor. Throws TypeError for
/// anything else.
Tensor from_capsule(nanobind::handle capsule);
/// Of a sequence of capsules; None is the empty list.
TensorList from_capsules(nanobind::handle capsules);

}  // namespace rrfp::python
