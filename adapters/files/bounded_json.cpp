#include "adapters/files/bounded_json.h"

#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rrfp {
namespace {

constexpr int deepest = 64;

/// Brackets outside of strings, whether they match or not.
void check_depth(std::string_view text) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (in_string) {
            if (c == '\\') ++at;
            if (c == '"') in_string = false;
            continue;
        }
        if (c == '"') in_string = true;
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') --depth;
        if (depth > deepest) {
            throw std::invalid_argument(fmt::format(
                "byte {}: lists and objects are nested more than {} deep", at, deepest));
        }
    }
}

}  // namespace

nlohmann::json parse_json(std::string_view text) {
    check_depth(text);
    return nlohmann::json::parse(text);
}

std::string json_text(const nlohmann::json& value, int indent) {
    return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace rrfp
