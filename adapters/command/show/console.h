#pragma once

#include <string_view>

namespace rrfp {

/// Writes `rrfp: message` to standard error, as one write, so that lines of ranks do not mix.
void print_error(std::string_view message);
/// Writes `text` to standard output at once, whatever it is connected to.
void print(std::string_view text);

}  // namespace rrfp
