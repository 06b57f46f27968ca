#include "adapters/files/safetensors_check.h"

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "adapters/files/safetensors_header.h"

namespace rrfp {

std::optional<std::string> safetensors_fault(const std::string& path) {
    try {
        safetensors_notes(path);
        return std::nullopt;
    } catch (const SafetensorsFault& fault) {
        return fault.what();
    }
}

std::map<std::string, std::string> safetensors_notes(const std::string& path) {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path, error);
    std::ifstream file(path, std::ios::binary);
    if (error || !file) throw SafetensorsFault("cannot be read");
    return read_safetensors_header(file, size).notes;
}

}  // namespace rrfp
