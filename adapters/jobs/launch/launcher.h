#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// Runs `arguments` (a program and what it is given) as the ranks of `job` under mpirun and waits
/// for them. Rank 0 finds `input` on its standard input, the others nothing. Signals that ask this
/// process to end are passed on once, and all ranks end. Returns mpirun's exit code, 130 after
/// SIGINT and 143 after SIGTERM. Throws std::runtime_error when mpirun cannot be started, or, after
/// it was ended, when the ranks did not come up.
int launch_ranks(const Job& job, const std::vector<std::string>& arguments,
                 const std::string& input);

/// The path of the running program.
std::string this_program();

}  // namespace rrfp
