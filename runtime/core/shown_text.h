#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rrfp {

/// The most of a text that a message quotes, bytes.
inline constexpr std::size_t most_shown = 240;
/// The most messages that are told at once.
inline constexpr std::size_t most_messages = 20;

/// `text` as a message quotes it: control characters as blanks, so that it is one line and does
/// nothing to a terminal; of more than `most` bytes both ends, with how many bytes were left out
/// between them.
std::string shown(std::string_view text, std::size_t most = most_shown);

/// `messages`, each of at most ten times `most_shown` bytes; of more than `most_messages` the first
/// ones, and a last that says how many there are besides.
std::vector<std::string> shown(std::vector<std::string> messages);

}  // namespace rrfp
