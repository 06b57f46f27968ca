#pragma once

#include <optional>
#include <string_view>

namespace rrfp {

/// The line, from 1, in which `text`, a TOML document, has a key of more than 16 parts (`a.b.c…`);
/// none where it has none. Each part is a table in the one before it, and the library that reads
/// TOML walks tables by calls as deep as they are; lists in lists it bounds by itself.
std::optional<int> deep_key(std::string_view text);

}  // namespace rrfp
