#pragma once

#include <optional>
#include <string>

namespace rrfp {

/// The path of the executable file `name` in the folders of PATH. What is no file, or may not be
/// executed, is passed over, as a shell does.
std::optional<std::string> find_program(const std::string& name);

}  // namespace rrfp
