#pragma once

#include <string_view>
#include <vector>

namespace rrfp {

/// The lines of a text that people and spreadsheets write: without a leading UTF-8 byte order mark
/// and without their ends, LF or CRLF. What follows the last line end is a line unless it is empty.
/// They point into `text`.
std::vector<std::string_view> lines_of(std::string_view text);

/// What stands between separators: one part more than there are separators.
std::vector<std::string_view> parts_of(std::string_view text, char separator);

/// Without the spaces, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace rrfp
