#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rrfp {

/// Writes `rrfp: message` to standard error, as one write, so that lines of ranks do not mix.
void print_error(std::string_view message);
/// Writes `rrfp: note: line` to standard error for each of `lines`.
void print_notices(const std::vector<std::string>& lines);
/// Writes `text` to standard output at once, whatever it is connected to. Throws std::runtime_error
/// with the reason where it cannot be written.
void print(std::string_view text);
/// As `print`, for what nothing depends on: where it cannot be written, it is left out.
void print_progress(std::string_view text);
/// Throws as `print` where standard output is known to take nothing, before others write to it.
void require_output();

}  // namespace rrfp
