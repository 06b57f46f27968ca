#pragma once

#include <mpi.h>
#include <vector>

namespace rrfp {

/// The members of an agreement as MPI knows them: a communicator of their own, and who of them
/// shares this rank's node. Construction and destruction are collective over the members.
class MemberGroup {
  public:
    /// Throws std::invalid_argument when `world_ranks` repeats a rank, names one that does not
    /// exist, or leaves this rank out. With `apart` nobody counts as a neighbour.
    explicit MemberGroup(const std::vector<int>& world_ranks, bool apart = false);
    ~MemberGroup();
    MemberGroup(const MemberGroup&) = delete;
    MemberGroup& operator=(const MemberGroup&) = delete;

    /// Its ranks are the members, in the order given. Errors are returned.
    MPI_Comm communicator() const { return communicator_; }
    /// The members on this node.
    MPI_Comm node() const { return node_; }
    int member() const { return member_; }
    int size() const { return static_cast<int>(node_ranks_.size()); }
    /// A member's rank in `node()`; -1 when it is elsewhere.
    int node_rank(int member) const { return node_ranks_[static_cast<std::size_t>(member)]; }
    bool share_memory() const;

  private:
    void find_neighbours(bool apart);

    MPI_Comm communicator_ = MPI_COMM_NULL;
    MPI_Comm node_ = MPI_COMM_NULL;
    int member_ = 0;
    std::vector<int> node_ranks_;  ///< [member]
};

}  // namespace rrfp
