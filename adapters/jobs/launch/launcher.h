#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// The MPI job that this process was started under.
struct MpiWorld {
    bool present = false;
    int rank = 0;
    int size = 1;
    bool launched_by_us = false;  ///< by `launch_ranks`, which has left the job on rank 0's input
    int terminal_columns = 0;     ///< of the terminal `launch_ranks` writes to; 0 = none
};

/// Read from the environment, before MPI is initialised. Knows Open MPI.
MpiWorld detect_mpi_world();

/// Ranks that `job` runs on.
int world_size(const Job& job);
/// Throws BadInput, with the remedy, when the MPI job is not of that size.
void check_world(const Job& job, const MpiWorld& world);

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
