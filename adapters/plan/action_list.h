#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/task.h"

namespace rrfp {

/// A rank's list of tasks as one text: stage, letter and microbatch of each, blanks between them
/// (`0F0 0F1 0B0`).
std::string action_list(const std::vector<Task>& tasks);

/// What `action_list` wrote. Throws std::invalid_argument naming the place for anything else.
std::vector<Task> read_action_list(std::string_view text);

}  // namespace rrfp
