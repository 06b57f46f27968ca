#pragma once

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

}  // namespace rrfp
