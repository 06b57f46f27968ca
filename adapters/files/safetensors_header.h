#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace rrfp {

/// Where the format keeps facts beside the tensors.
inline constexpr const char* safetensors_notes_key = "__metadata__";

/// One tensor as a header gives it.
struct SafetensorsEntry {
    std::string type;  ///< for example F32
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0;  ///< its first byte, counted from the end of the header
    std::uint64_t end = 0;    ///< one past its last
};

/// What a file of the safetensors format says before its data.
struct SafetensorsHeader {
    std::map<std::string, std::string> notes;
    std::map<std::string, SafetensorsEntry> tensors;
    std::uint64_t data_begin = 0;  ///< the data's first byte in the file
};

/// What keeps a file from being one of the format; without the file's path.
class SafetensorsFault : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Reads the header of `file`, which has `size` bytes: eight with the length of a JSON object, at
/// most 100 MB as the format allows, and the object. The tensors it names must fill the rest of the
/// file one after the other. Throws SafetensorsFault; reads nothing behind the header
/// (https://github.com/huggingface/safetensors, "Format").
SafetensorsHeader read_safetensors_header(std::istream& file, std::uint64_t size);

}  // namespace rrfp
