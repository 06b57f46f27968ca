#pragma once

#include <string>
#include <vector>

namespace rrfp::testing {

struct ProgramResult {
    int exit_code = -1;  ///< 128 + the signal's number when a signal ended it
    std::string output;  ///< standard output and standard error together
};

/// Runs `command` (found through PATH) to its end, and then ends what is left of its process group.
/// Throws std::runtime_error when it does not start.
ProgramResult run_program(const std::vector<std::string>& command);

/// The start of a command that runs a program on `ranks` ranks of this machine.
std::vector<std::string> mpirun(int ranks);

}  // namespace rrfp::testing
