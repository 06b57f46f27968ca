#include "adapters/files/safetensors_check.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rrfp {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors is little-endian");

/// Where the data of the last tensor ends, in bytes after the header.
std::uint64_t data_end(const nlohmann::json& header) {
    std::uint64_t end = 0;
    for (const auto& [name, entry] : header.get_ref<const nlohmann::json::object_t&>()) {
        if (name == "__metadata__") continue;
        end = std::max(end, entry.at("data_offsets").at(1).get<std::uint64_t>());
    }
    return end;
}

}  // namespace

std::optional<std::string> safetensors_fault(const std::string& path) {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path, error);
    std::ifstream file(path, std::ios::binary);
    if (error || !file) return "cannot be read";

    std::uint64_t length = 0;
    if (size >= sizeof length) file.read(reinterpret_cast<char*>(&length), sizeof length);
    if (size < sizeof length || length > size - sizeof length) {
        return fmt::format("cut short or of another format: {} bytes", size);
    }
    std::string text(length, '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(length))) return "cannot be read";
    try {
        const std::uint64_t wanted = data_end(nlohmann::json::parse(text));
        const std::uint64_t found = size - sizeof length - length;
        if (wanted == found) return std::nullopt;
        return fmt::format("its header names {} bytes of data, {} follow", wanted, found);
    } catch (const nlohmann::json::exception& damage) {
        return fmt::format("its header is damaged: {}", damage.what());
    }
}

}  // namespace rrfp
