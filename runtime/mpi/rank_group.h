#pragma once

#include <mpi.h>
#include <span>
#include <string_view>

#include "runtime/mpi/mpi_handles.h"

namespace rrfp {

/// Some ranks of MPI_COMM_WORLD, this one among them, and a communicator of their own. Construction
/// and destruction are collective over them; destroy it before MPI_Finalize.
class RankGroup {
  public:
    /// Throws std::invalid_argument, which begins with `name`, when `world_ranks` repeats a rank,
    /// names one that does not exist, or leaves this rank out. Groups that may be made at the same
    /// time, by several threads, need another `creation_tag` each.
    RankGroup(std::span<const int> world_ranks, std::string_view name, int creation_tag);

    /// Its ranks are the members in the order given. Errors are returned.
    MPI_Comm communicator() const { return communicator_.get(); }
    /// This rank in it.
    int rank() const { return rank_; }
    int size() const { return size_; }

  private:
    OwnedCommunicator communicator_;
    int rank_ = 0;
    int size_;
};

}  // namespace rrfp
