#pragma once

#include <array>

#include "runtime/core/task.h"

namespace rrfp {

/// By kind, 0xRRGGBB: forwards are green, backwards blue, weight gradients orange, in every
/// picture, so that what was read in one is true of the other.
inline constexpr std::array<unsigned, task_kinds> task_colors = {0x2E9E4F, 0x2F6FD0, 0xE08A1E};

}  // namespace rrfp
