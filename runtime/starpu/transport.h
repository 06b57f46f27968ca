#pragma once

#include <cstdint>
#include <vector>

#include "runtime/starpu/delay_timer.h"
#include "runtime/starpu/microbatch_slot.h"

namespace rrfp {

/// Moves parcels between pipeline ranks with StarPU-MPI, matched by tag. It never waits.
class Transport {
  public:
    /// `world_ranks[r]` is the rank in MPI_COMM_WORLD of pipeline rank r; empty means r itself.
    /// `rank` is this process's there.
    Transport(int rank, bool forward_only, std::vector<int> world_ranks);

    /// Posts the receive of a link. Ordered by StarPU after earlier users of its handle.
    void receive(LinkSite& site, std::uint64_t iteration);
    /// Hands the send to StarPU, which posts it as soon as the submitted writer of the handle ends.
    void send(LinkSite& site, std::uint64_t iteration);
    /// The same, `delay_ms` from now, by a timer's thread. The writer must have ended, and nothing
    /// may write the handle again before the send has ended. A message that then cannot be sent
    /// ends the job, since nobody could be told: its receiver would wait for ever.
    void send_later(LinkSite& site, std::uint64_t iteration, double delay_ms);

    /// The rank in MPI_COMM_WORLD of a pipeline rank.
    int world_rank(int rank) const;

  private:
    std::int64_t tag(const LinkSite& site, std::uint64_t iteration) const;
    void send_or_end_job(LinkSite& site, std::uint64_t iteration);

    int rank_;
    bool forward_only_;
    std::vector<int> world_ranks_;
    DelayTimer timer_;
};

}  // namespace rrfp
