#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "runtime/starpu/doorbell.h"

namespace rrfp {

/// What StarPU-MPI's progress thread knows when a polling cycle ends.
struct PollingCycle {
    bool fruitful = false;            ///< it did something
    std::size_t pending = 0;          ///< transfers given to MPI and not complete
    std::size_t pending_bytes = 0;    ///< of all these
    std::size_t largest_pending = 0;  ///< of the largest of these
};

/// Decides how StarPU-MPI's progress thread spends the time after a polling cycle. Belongs to that
/// thread alone; what others share is the doorbell.
///
/// | the cycle                                            | then                                  |
/// |------------------------------------------------------|---------------------------------------|
/// | did something, or the bell rang since it began       | poll again                            |
/// | found nothing; large transfers changed < 3 ms ago (*)| give way to others, poll again        |
/// | found nothing; a large transfer is incomplete        | sleep on the bell, at most 0.2 ms     |
/// | found nothing; another transfer is incomplete        | sleep on the bell, at most 1 ms       |
/// | found nothing; a rank lives on another node          | sleep on the bell, naps up to 0.5 ms  |
/// | found nothing                                        | sleep on the bell, at most 0.1 s      |
///
/// A large transfer is one above MPI's eager limit, and no ring announces its steps. (*) Only where
/// MPI moves it in several copies: both ends must then poll. In one copy (CMA) the receiver takes
/// it by itself, and a sender that polled meanwhile would only take its core.
class ProgressSleeper {
  public:
    /// `all_ring`: every rank lives on this node, so that no message arrives without a ring.
    /// `single_copy`: MPI moves large messages in one copy.
    ProgressSleeper(Doorbell& bell, bool all_ring, bool single_copy);

    /// Call it at the end of each polling cycle, without locks. Returns when the next is due.
    void cycle_ended(const PollingCycle& cycle);

    std::uint64_t sleeps() const { return sleeps_; }

  private:
    void rest(const PollingCycle& cycle);
    void watch_large_transfers(const PollingCycle& cycle);
    std::chrono::nanoseconds longest_sleep(const PollingCycle& cycle);

    Doorbell& bell_;
    bool all_ring_;
    bool single_copy_;
    std::uint32_t seen_ = 0;           ///< rings when the cycle under way began
    std::size_t large_bytes_ = 0;      ///< under way, if a large transfer is among them; else 0
    std::int64_t large_since_ns_ = 0;  ///< when that last changed
    std::chrono::nanoseconds nap_;     ///< grows while nothing happens, for ranks elsewhere
    std::uint64_t sleeps_ = 0;
};

}  // namespace rrfp
