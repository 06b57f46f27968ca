#pragma once

#include <cstdint>
#include <vector>

#include "runtime/starpu/iteration/microbatch_slot.h"
#include "runtime/starpu/messages/transport.h"

namespace rrfp {

/// The rank in MPI_COMM_WORLD of pipeline rank `rank`; without `world_ranks` the same number.
int world_rank_of(int rank, const std::vector<int>& world_ranks);

/// The messages of one rank's links: whose parcel goes to which rank, under which identity.
class LinkMessages {
  public:
    /// `world_ranks[r]` is the rank in MPI_COMM_WORLD of pipeline rank r; empty means r itself.
    /// `rank` is this process's there.
    LinkMessages(int rank, bool forward_only, std::vector<int> world_ranks);

    /// As Transport's, of the parcel in `site`; SlotEvents::sent tells of the end of a send.
    void receive(LinkSite& site, std::uint64_t iteration);
    void send(LinkSite& site, std::uint64_t iteration);
    void send_later(LinkSite& site, std::uint64_t iteration, double delay_ms);

    /// The rank in MPI_COMM_WORLD of a pipeline rank.
    int world_rank(int rank) const { return world_rank_of(rank, world_ranks_); }

  private:
    Message message(const LinkSite& site, int peer, std::uint64_t iteration) const;

    bool forward_only_;
    std::vector<int> world_ranks_;
    Transport transport_;
};

}  // namespace rrfp
