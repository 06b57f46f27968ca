#pragma once

#include <mpi.h>
#include <string_view>

namespace rrfp {

/// Whether `request` has completed; `call` names what it is in errors. Throws as check_mpi does.
bool has_completed(MPI_Request& request, std::string_view call);

/// Completes `request` without spinning: tests it, and between tests sleeps an eighth of what has
/// been waited, 20 us to 1 ms. Open MPI's own blocking calls would take a core. False where it has
/// not completed after `seconds`; 0: waits for ever. Throws as check_mpi does.
bool wait_napping(MPI_Request& request, std::string_view call, double seconds);
inline void wait_napping(MPI_Request& request) { wait_napping(request, "MPI_Test", 0); }

/// A barrier of that kind over `communicator`.
void barrier_napping(MPI_Comm communicator);

}  // namespace rrfp
