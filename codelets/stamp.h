#pragma once

#include "codelets/stage_program.h"

namespace rrfp {

/// Bytes that a stamp takes at the front of a tensor.
inline constexpr std::size_t stamp_bytes = 16;

/// Marks `tensor` (host memory) as the result of `context`. A smaller tensor stays as it is.
void write_stamp(const Tensor& tensor, const TaskContext& context);

/// Checks that `tensor` is the result of `expected`; one smaller than a stamp passes. Throws
/// std::runtime_error that tells what `reader` received in place of what.
void check_stamp(const Tensor& tensor, const TaskContext& expected, const TaskContext& reader);

}  // namespace rrfp
