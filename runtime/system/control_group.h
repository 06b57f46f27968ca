#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rrfp {

/// The folders of the control groups that bound this process's use of `controller` ("pids", "cpu"),
/// from its own group up to the root of what can be seen; of both versions of control groups.
std::vector<std::filesystem::path> control_groups(const std::string& controller);

}  // namespace rrfp
