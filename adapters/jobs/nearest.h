#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rrfp {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal
/// string alignment).
int edit_distance(std::string_view a, std::string_view b);

/// The candidate with the least edit distance to `word`, the first of equals; `candidates` must not
/// be empty.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace rrfp
