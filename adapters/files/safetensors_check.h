#pragma once

#include <map>
#include <optional>
#include <string>

namespace rrfp {

/// What keeps `path` from being a whole file of the safetensors format (see
/// read_safetensors_header), or none. Reads the header alone.
std::optional<std::string> safetensors_fault(const std::string& path);

/// What `path`, a whole file of the format, keeps beside its tensors. Reads the header alone.
/// Throws SafetensorsFault (safetensors_header.h) where it is no such file.
std::map<std::string, std::string> safetensors_notes(const std::string& path);

}  // namespace rrfp
