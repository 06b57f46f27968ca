#pragma once

#include <mpi.h>
#include <vector>

#include "runtime/mpi/mpi_handles.h"
#include "runtime/mpi/rank_group.h"

namespace rrfp {

/// The members of an agreement as MPI knows them: a communicator of their own, and who of them
/// shares this rank's node. Construction and destruction are collective over the members.
class MemberGroup {
  public:
    /// Throws as RankGroup does. With `apart` nobody counts as a neighbour.
    explicit MemberGroup(const std::vector<int>& world_ranks, bool apart = false);

    /// Its ranks are the members, in the order given. Errors are returned.
    MPI_Comm communicator() const { return ranks_.communicator(); }
    /// The members on this node.
    MPI_Comm node() const { return node_.get(); }
    int member() const { return ranks_.rank(); }
    int size() const { return ranks_.size(); }
    /// A member's rank in `node()`; -1 when it is elsewhere.
    int node_rank(int member) const { return node_ranks_[static_cast<std::size_t>(member)]; }
    bool share_memory() const;

  private:
    void find_neighbours(bool apart);

    RankGroup ranks_;
    OwnedCommunicator node_;
    std::vector<int> node_ranks_;  ///< [member]
};

}  // namespace rrfp
