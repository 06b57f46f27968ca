#pragma once

#include <optional>
#include <string>

namespace rrfp {

/// What keeps `path` from being a whole file of the safetensors format, or none: eight bytes with
/// the length of a JSON header, the header, and data up to the last offset that the header names.
/// Reads the header alone (https://github.com/huggingface/safetensors, "Format").
std::optional<std::string> safetensors_fault(const std::string& path);

}  // namespace rrfp
