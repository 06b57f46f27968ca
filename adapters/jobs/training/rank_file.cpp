#include "adapters/jobs/training/rank_file.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "adapters/files/safetensors_check.h"
#include "adapters/files/safetensors_header.h"

namespace rrfp {
namespace {

/// What a header holds is as long as its writer liked, and may be anything.
std::string shown(std::string text) {
    constexpr std::size_t most = 80;
    if (text.size() > most) text = text.substr(0, most) + "...";
    std::ranges::replace_if(
        text, [](char letter) { return letter < ' '; }, '?');
    return text;
}

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
                           found == notes.end() ? "none" : shown(found->second));
    }
    return std::nullopt;
}

}  // namespace rrfp
