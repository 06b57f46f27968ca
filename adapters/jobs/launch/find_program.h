#pragma once

#include <optional>
#include <string>

namespace rrfp {

/// The path of the executable `name` in the folders of PATH.
std::optional<std::string> find_program(const std::string& name);

}  // namespace rrfp
