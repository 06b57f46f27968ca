#pragma once

namespace rrfp {

/// Whether MPI moves large messages between ranks of this node in one copy (CMA, XPMEM or KNEM):
/// the receiver then takes the data by itself, and the sender need not poll meanwhile. Read from
/// Open MPI's control variable `btl_vader_single_copy_mechanism`, which tells what it came to after
/// MPI_Init; false where there is none. MPI must be initialised.
bool mpi_copies_once();

/// The environment variable that chooses how; "none" copies twice, through shared memory.
inline constexpr const char* single_copy_variable = "OMPI_MCA_btl_vader_single_copy_mechanism";

}  // namespace rrfp
