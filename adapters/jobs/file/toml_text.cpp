#include "adapters/jobs/file/toml_text.h"

#include <fmt/format.h>

namespace rrfp {

std::string toml_text(bool value) { return value ? "true" : "false"; }
std::string toml_text(int value) { return std::to_string(value); }
std::string toml_text(std::int64_t value) { return std::to_string(value); }
std::string toml_text(std::uint64_t value) { return std::to_string(value); }
std::string toml_text(double value) { return fmt::format("{}", value); }

std::string toml_text(const std::string& value) {
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            text += c;
        }
    }
    return text + "\"";
}

std::string toml_text(const std::optional<double>& value) {
    return value ? toml_text(*value) : "(none)";
}

std::string toml_text(const std::vector<int>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string toml_text(const std::vector<double>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string toml_text(const WordOrNumbers& value) {
    if (const auto* word = std::get_if<std::string>(&value)) return toml_text(*word);
    const auto& numbers = std::get<std::vector<int>>(value);
    return numbers.size() == 1 ? toml_text(numbers.front()) : toml_text(numbers);
}

}  // namespace rrfp
