#include "adapters/files/safetensors_check.h"

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "adapters/files/safetensors_header.h"

namespace rrfp {

std::optional<std::string> safetensors_fault(const std::string& path) {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path, error);
    std::ifstream file(path, std::ios::binary);
    if (error || !file) return "cannot be read";
    try {
        read_safetensors_header(file, size);
        return std::nullopt;
    } catch (const SafetensorsFault& fault) {
        return fault.what();
    }
}

}  // namespace rrfp
