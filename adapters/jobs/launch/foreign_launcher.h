#pragma once

namespace rrfp {

/// Throws BadInput, with the launcher's name and the remedy, when this process was started as one
/// of several by a launcher other than Open MPI's mpirun, or when the environment only looks as
/// if mpirun had started it: each of these processes would run the whole job by itself.
void refuse_foreign_launcher();

/// The rank that a launcher of any kind has given to this process; 0 where there is none.
int rank_by_any_launcher();

}  // namespace rrfp
