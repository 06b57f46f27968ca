#include "adapters/jobs/file/toml_depth.h"

#include <algorithm>
#include <cstddef>

namespace rrfp {
namespace {

constexpr int most_dots = 15;

/// Where the string or comment that begins at `at` ends: its last character.
std::size_t end_of_text(std::string_view text, std::size_t at) {
    const auto found = [&](std::size_t end) { return std::min(end, text.size() - 1); };
    if (text[at] == '#') return found(text.find('\n', at));
    const std::string_view mark =
        text.substr(at, text.substr(at, 3) == "\"\"\"" || text.substr(at, 3) == "'''" ? 3 : 1);
    const bool escapes = mark.front() == '"';
    for (std::size_t end = at + mark.size(); end < text.size(); ++end) {
        if (escapes && text[end] == '\\') {
            ++end;
        } else if (text.substr(end, mark.size()) == mark) {
            return end + mark.size() - 1;
        } else if (mark.size() == 1 && text[end] == '\n') {
            return end - 1;  // an error, which the parser tells
        }
    }
    return text.size() - 1;
}

}  // namespace

std::optional<int> deep_key(std::string_view text) {
    constexpr std::string_view ends_a_key = "=,[]{}\n";
    int dots = 0;
    int line = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '#' || c == '"' || c == '\'') {
            const std::size_t end = end_of_text(text, at);
            line += static_cast<int>(std::count(text.begin() + at, text.begin() + end + 1, '\n'));
            if (c == '#') dots = 0;
            at = end;
        } else if (ends_a_key.find(c) != std::string_view::npos) {
            dots = 0;
            line += c == '\n' ? 1 : 0;
        } else if (c == '.' && ++dots > most_dots) {
            return line;
        }
    }
    return std::nullopt;
}

}  // namespace rrfp
