#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/core/dispatcher.h"

namespace rrfp {

/// For people, when nothing moves any more: a line a rank with what is ready there (and not chosen)
/// and which results of other ranks it still waits for.
std::string describe_stall(const std::vector<std::unique_ptr<Dispatcher>>& dispatchers);

}  // namespace rrfp
