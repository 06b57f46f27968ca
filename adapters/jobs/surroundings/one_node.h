#pragma once

namespace rrfp {

/// Whether mpirun, started here and now, keeps all ranks on this machine: no batch system has given
/// it nodes, and no file of hosts is set. False where it cannot be told.
bool ranks_stay_here();

}  // namespace rrfp
