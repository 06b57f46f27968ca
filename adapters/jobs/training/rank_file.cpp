#include "adapters/jobs/training/rank_file.h"

#include <filesystem>

#include <fmt/format.h>

#include "adapters/files/safetensors_check.h"
#include "adapters/files/safetensors_header.h"
#include "runtime/core/shown_text.h"

namespace rrfp {
namespace {

constexpr std::size_t most_of_a_note = 80;  // bytes that a message quotes

}  // namespace

std::optional<std::string> rank_file_fault(const std::string& path,
                                           const std::map<std::string, std::string>& expected) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return "missing";
    std::map<std::string, std::string> notes;
    try {
        notes = safetensors_notes(path);
    } catch (const SafetensorsFault& fault) {
        return fault.what();
    }
    for (const auto& [name, value] : expected) {
        const auto found = notes.find(name);
        if (found != notes.end() && found->second == value) continue;
        return fmt::format("is another's: expected {} {}, found {}", name, value,
                           found == notes.end() ? "none" : shown(found->second, most_of_a_note));
    }
    return std::nullopt;
}

}  // namespace rrfp
