#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace rrfp {

/// A float32 tensor by name, dense; its bytes belong to someone else.
struct NamedTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::span<std::byte> bytes;
};

/// Facts kept beside the tensors.
using TensorFileNotes = std::map<std::string, std::string>;

/// Writes `tensors` and `notes` to `path`, whole or not at all, in the safetensors format: 8 bytes,
/// little-endian, for the length of a JSON header that gives each tensor's dtype, shape and place
/// and `notes` under `__metadata__`, then the tensors' bytes. Nothing in such a file is code.
/// std::runtime_error with path and reason.
void write_tensor_file(const std::string& path, std::span<const NamedTensor> tensors,
                       const TensorFileNotes& notes);

/// Reads `path` into the bytes of `tensors`, which say what it must hold, and returns its notes.
/// Everything is checked before a byte is written. std::runtime_error that names the file and,
/// where one is at fault, the tensor with what was expected and what was found.
TensorFileNotes read_tensor_file(const std::string& path, std::span<const NamedTensor> tensors);

}  // namespace rrfp
