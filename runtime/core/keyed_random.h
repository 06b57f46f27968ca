#pragma once

#include <cstdint>
#include <initializer_list>

namespace rrfp {

/// A random number that depends on its key alone, so that no order of work changes it: a mixed
/// 64-bit hash of the key's words. Portable: the same key gives the same value on every machine.
std::uint64_t keyed_bits(std::initializer_list<std::uint64_t> key);
/// Uniform in (0, 1).
double keyed_uniform(std::initializer_list<std::uint64_t> key);
/// Standard normal.
double keyed_normal(std::initializer_list<std::uint64_t> key);
/// Log-normal with mean 1 and coefficient of variation `cv`; exactly 1 where cv is 0.
double keyed_log_normal(double cv, std::initializer_list<std::uint64_t> key);
/// Exponential with mean 1.
double keyed_exponential(std::initializer_list<std::uint64_t> key);

}  // namespace rrfp
