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

/// A file's bytes as a whole, to tell it from any other.
struct FileDigest {
    std::uint64_t bytes = 0;
    std::string sha256;  ///< lower-case hex

    friend bool operator==(const FileDigest&, const FileDigest&) = default;
};

/// Writes `tensors` and `notes` to `path`, whole or not at all, in the safetensors format: 8 bytes,
/// little-endian, for the length of a JSON header that gives each tensor's dtype, shape and place
/// and `notes` under `__metadata__`, then the tensors' bytes. Nothing in such a file is code.
/// Returns the digest of what it wrote, taken from memory. std::runtime_error with path and reason.
FileDigest write_tensor_file(const std::string& path, std::span<const NamedTensor> tensors,
                             const TensorFileNotes& notes);

/// What a tensor file held beside its tensors.
struct TensorFileFacts {
    TensorFileNotes notes;
    FileDigest digest;  ///< of the bytes that were read
};

/// Reads `path` into the bytes of `tensors`, which say what it must hold. The header is checked
/// before a byte is written; who expects a digest compares it afterwards. std::runtime_error that
/// names the file and, where one is at fault, the tensor with what was expected and what was found.
TensorFileFacts read_tensor_file(const std::string& path, std::span<const NamedTensor> tensors);

}  // namespace rrfp
