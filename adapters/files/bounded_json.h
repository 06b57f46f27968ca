#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace rrfp {

/// The JSON value that `text` is. Throws nlohmann::json::exception for what is none, and
/// std::invalid_argument where lists and objects stand in one another more than 64 deep: the
/// library prints, copies and compares a value by calls as deep as it is.
nlohmann::json parse_json(std::string_view text);

/// `value` on several lines, or on one where `indent` is -1. Bytes that are no UTF-8, which paths
/// may hold, become the replacement character.
std::string json_text(const nlohmann::json& value, int indent = 2);

}  // namespace rrfp
