#pragma once

#include <optional>
#include <string>

namespace rrfp {

/// What keeps `path` from being a whole file of the safetensors format (see
/// read_safetensors_header), or none. Reads the header alone.
std::optional<std::string> safetensors_fault(const std::string& path);

}  // namespace rrfp
