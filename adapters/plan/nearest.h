#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rrfp {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal
/// string alignment).
int edit_distance(std::string_view a, std::string_view b);

/// The candidate with the least edit distance to `word`, the first of equals; none where more than
/// a third of the word differs.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// `did you mean X? Known: ...`, or the known words alone where none is near.
std::string known_words(std::string_view word, std::span<const std::string> known);

}  // namespace rrfp
