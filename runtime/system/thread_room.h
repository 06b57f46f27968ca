#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rrfp {

/// How many more threads and processes may start here.
struct ThreadRoom {
    std::uint64_t left = 0;
    std::string limit;  ///< what sets the bound, and to what
};

/// The tightest bound that holds for this process: `ulimit -u`, or the pids limit of a control
/// group (containers, batch systems). Empty where none does.
std::optional<ThreadRoom> thread_room();

}  // namespace rrfp
