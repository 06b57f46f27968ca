#pragma once

#include <cstdint>

#include "runtime/starpu/waiting/doorbell.h"
#include "runtime/starpu/waiting/progress_naps.h"

namespace rrfp {

/// Where StarPU-MPI's progress thread spends the time between polling cycles. Belongs to that
/// thread alone; what others share is the doorbell.
class ProgressSleeper {
  public:
    /// As ProgressNaps, which says how long it sleeps.
    ProgressSleeper(Doorbell& bell, bool all_ring, bool single_copy);

    /// Call it at the end of each polling cycle, without locks. Returns when the next is due.
    void cycle_ended(const PollingCycle& cycle);

  private:
    Doorbell& bell_;
    ProgressNaps naps_;
    std::uint32_t seen_ = 0;  ///< rings when the cycle under way began
};

}  // namespace rrfp
