#pragma once

#include <mpi.h>

namespace rrfp {

/// Completes `request` without spinning: tests it, and between tests sleeps in naps that grow from
/// 20 us to 1 ms. Open MPI's own blocking calls would take a core. Throws as check_mpi does.
void wait_napping(MPI_Request& request);

/// A barrier of that kind over `communicator`.
void barrier_napping(MPI_Comm communicator);

}  // namespace rrfp
