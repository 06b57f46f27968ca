#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// Runs `arguments` (a program and what it is given) as the ranks of `job` under mpirun and waits
/// for them. Rank 0 finds `input` on its standard input, the others nothing. Signals that ask this
/// process to end make all ranks end; one that suspends it suspends them.
///
/// Returns 0 when all is done; 1 when the job failed, and 2 when a rank refused its input, which
/// has been told on standard error then; 128 + the number of the signal that this process was asked
/// to end by. Throws std::runtime_error when mpirun cannot be started.
int launch_ranks(const Job& job, const std::vector<std::string>& arguments,
                 const std::string& input);

/// The path of the running program.
std::string this_program();

}  // namespace rrfp
