#pragma once

#include <string>
#include <vector>

namespace rrfp {

/// The path of Open MPI's mpirun in PATH, asked for its version. Throws std::runtime_error with the
/// remedy when there is none, when the first one is another MPI's, or when it does not run here.
std::string find_mpirun();

/// What `mpirun` is given to run `arguments` as that many ranks.
std::vector<std::string> mpirun_command(const std::string& mpirun, int ranks,
                                        const std::vector<std::string>& arguments);

}  // namespace rrfp
