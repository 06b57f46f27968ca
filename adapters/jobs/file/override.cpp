#include "adapters/jobs/file/override.h"

#include <fmt/format.h>

#include "adapters/jobs/file/toml_depth.h"
#include "runtime/core/shown_text.h"

namespace rrfp {
namespace {

/// The text as one TOML value in a table under `value`, or as a text where it is a bare word. An
/// empty table when it is neither.
toml::table parse_value(const std::string& text) {
    const bool one_line = text.find_first_of("\r\n") == std::string::npos && !deep_key(text);
    try {
        toml::table parsed = toml::parse(one_line ? "value = " + text : "");
        if (parsed.size() == 1) return parsed;
    } catch (const toml::parse_error&) {
        const bool bare = one_line && text.find_first_of("\"'[{") != 0;
        if (bare && !text.empty()) return toml::table{{"value", text}};
    }
    return {};
}

}  // namespace

void apply_override(JobReader& reader, const std::string& override_text) {
    const auto equals = override_text.find('=');
    const auto dot = override_text.substr(0, equals).find('.');
    if (equals == std::string::npos || dot == std::string::npos) {
        reader.add_fault(
            fmt::format("--set {}: must be section.key=value, as in --set schedule.arbiter=bf",
                        shown(override_text)));
        return;
    }
    const std::string section = override_text.substr(0, dot);
    const std::string name = override_text.substr(dot + 1, equals - dot - 1);
    const std::string text = override_text.substr(equals + 1);
    const toml::table parsed = parse_value(text);
    const toml::node* value = parsed.get("value");
    if (!value) {
        reader.add_fault(fmt::format(
            "--set {}: the value is not TOML; give a number, true, false, a list or a word, and "
            "quote a text that begins with a bracket or a quote",
            shown(override_text)));
        return;
    }
    reader.read(section, name, *value, "--set", std::filesystem::current_path());
}

}  // namespace rrfp
