#pragma once

#include <string>
#include <vector>

namespace rrfp {

struct ProgramResult {
    int exit_code = -1;     ///< 128 + the signal's number when a signal ended it
    std::string output;     ///< standard output and standard error together
    bool ran_late = false;  ///< it was ended because its time was over
};

/// Runs `command` (found through PATH) to its end, or for `longest_s` (0: no limit), and then ends
/// what is left of its process group. It inherits no blocked signal. Throws std::runtime_error when
/// it does not start, or its end cannot be known.
ProgramResult run_program(const std::vector<std::string>& command, double longest_s = 0);

}  // namespace rrfp
