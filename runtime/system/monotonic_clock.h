#pragma once

#include <chrono>
#include <cstdint>

namespace rrfp {

/// Nanoseconds of CLOCK_MONOTONIC, which all processes of a node share.
std::int64_t monotonic_ns();
/// The same in milliseconds.
inline double monotonic_ms() { return static_cast<double>(monotonic_ns()) / 1e6; }

inline double milliseconds(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace rrfp
