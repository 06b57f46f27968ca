#pragma once

#include <cstddef>
#include <string>

namespace rrfp {

/// SHA-256 of `size` bytes at `data`, as lower-case hex.
std::string sha256_hex(const void* data, std::size_t size);

}  // namespace rrfp
