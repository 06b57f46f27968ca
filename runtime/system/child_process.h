#pragma once

#include <string>
#include <vector>

namespace rrfp {

struct ProgramResult {
    int exit_code = -1;  ///< 128 + the signal's number when a signal ended it
    std::string output;  ///< standard output and standard error together
};

/// Runs `command` (found through PATH) to its end, and then ends what is left of its process group.
/// Throws std::runtime_error when it does not start.
ProgramResult run_program(const std::vector<std::string>& command);

}  // namespace rrfp
