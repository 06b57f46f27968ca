#pragma once

#include <mpi.h>
#include <vector>

#include "runtime/mpi/mpi_start.h"

namespace rrfp {

/// MPI as the runtime needs it: initialised with MPI_THREAD_MULTIPLE, and who shares this node.
///
/// Initialises MPI unless that was done before, and then finalises it too. Construct and destroy
/// it on the same thread at every rank; both are collective.
class MpiSession {
  public:
    /// Throws std::runtime_error when MPI gives less than MPI_THREAD_MULTIPLE.
    MpiSession();
    ~MpiSession();
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;

    int rank() const { return rank_; }
    int ranks() const { return ranks_; }
    /// The runtime's own copy of MPI_COMM_WORLD, for its start and its end.
    MPI_Comm world() const { return world_; }
    /// The ranks that share this node's memory.
    MPI_Comm node() const { return node_; }
    int node_rank() const { return node_rank_; }
    int node_ranks() const { return static_cast<int>(world_ranks_.size()); }
    bool one_node() const { return node_ranks() == ranks_; }
    /// Where a rank of the world stands on this node; -1 when it is on another.
    int node_rank_of(int world_rank) const;
    int world_rank_of(int node_rank) const;

  private:
    MpiStart start_;  // before all else: it finalises last
    int rank_ = 0;
    int ranks_ = 1;
    int node_rank_ = 0;
    MPI_Comm world_ = MPI_COMM_NULL;
    MPI_Comm node_ = MPI_COMM_NULL;
    std::vector<int> world_ranks_;  ///< by rank on the node
    std::vector<int> node_ranks_;   ///< by rank in the world
};

}  // namespace rrfp
