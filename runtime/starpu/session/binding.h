#pragma once

#include <optional>
#include <vector>

namespace rrfp {

/// The cores that this process may use: for each, hwloc's logical index of its first hardware
/// thread.
struct NodeCores {
    std::vector<unsigned> first_pu;
    /// The process was started on part of the machine only (a batch system, mpirun --bind-to).
    bool restricted = false;
};

/// Asks hwloc. Throws std::runtime_error when it cannot read the machine.
NodeCores find_node_cores();

/// Where a rank's two busy threads run.
struct Binding {
    unsigned worker_pu = 0;
    unsigned progress_pu = 0;
};

/// Gives each rank of the node a core for its worker and one for StarPU-MPI's progress thread, the
/// ranks' cores in order. Empty, which means bind nothing, when there are too few cores for that,
/// or when somebody else has bound the process already. Pure.
std::optional<Binding> plan_binding(const NodeCores& cores, int node_rank, int node_ranks);

}  // namespace rrfp
