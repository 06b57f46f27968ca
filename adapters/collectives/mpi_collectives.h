#pragma once

#include <memory>
#include <span>
#include <string>

#include "adapters/collectives/collectives.h"

namespace rrfp {

struct MpiGroupOptions {
    /// What messages call the group.
    std::string name = "group";
    /// Seconds after which a wait is an error, since the peers then run something else; 0: never.
    double wait_seconds = 0;
};

/// Collectives by MPI over `world_ranks` of MPI_COMM_WORLD, in that order, this process among them.
/// Collective over those ranks; a process that makes several groups makes them in an order that all
/// share. Every operation is one of MPI's non-blocking ones, tested by the thread that waits; MPI
/// must run with MPI_THREAD_MULTIPLE. Destroy it before MPI_Finalize.
///
/// std::invalid_argument for an empty group, a rank outside the world or given twice, or a group
/// without this process; std::runtime_error for what MPI reports.
std::unique_ptr<Collectives> make_mpi_collectives(std::span<const int> world_ranks,
                                                  MpiGroupOptions options = {});

}  // namespace rrfp
