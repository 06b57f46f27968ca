#pragma once

#include <string>
#include <vector>

namespace rrfp::testing {

/// The start of a command that runs a program on `ranks` ranks of this machine.
inline std::vector<std::string> mpirun(int ranks) {
    return {"mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
            "-n",     std::to_string(ranks)};
}

}  // namespace rrfp::testing
