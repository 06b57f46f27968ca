#pragma once

#include <cstdint>

namespace rrfp {

/// Nanoseconds of CLOCK_MONOTONIC, which all processes of a node share.
std::int64_t monotonic_ns();

}  // namespace rrfp
