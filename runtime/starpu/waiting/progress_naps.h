#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace rrfp {

/// What StarPU-MPI's progress thread knows when a polling cycle ends.
struct PollingCycle {
    bool fruitful = false;            ///< it did something
    std::size_t pending = 0;          ///< transfers given to MPI and not complete
    std::size_t pending_bytes = 0;    ///< of all these
    std::size_t largest_pending = 0;  ///< of the largest of these
};

/// What StarPU-MPI's progress thread does after a polling cycle. Pure; belongs to that thread.
///
/// | the cycle                                            | then                                  |
/// |------------------------------------------------------|---------------------------------------|
/// | did something, or the bell rang since it began       | poll again                            |
/// | found nothing; large transfers changed < 3 ms ago (*)| give way to others, poll again        |
/// | found nothing; a large transfer is incomplete        | sleep on the bell, at most 0.2 ms     |
/// | found nothing; a rank lives on another node          | sleep on the bell, 50 us to 0.5 ms    |
/// | found nothing; another transfer is incomplete        | sleep on the bell, at most 1 ms       |
/// | found nothing                                        | sleep on the bell, 1 ms to 0.1 s      |
///
/// A large transfer is one above MPI's eager limit, and no ring announces its steps. (*) Only where
/// MPI moves it in several copies: both ends must then poll. In one copy (CMA) the receiver takes
/// it by itself, and a sender that polled meanwhile would only take its core.
///
/// Sleeps grow by four and begin anew when something happened. A ring does not promise that the
/// next cycle finds what it announces: another thread of the rank that calls MPI (in a collective
/// of its tensor group) may have taken the message out of the shared memory and not put it in its
/// place yet, and nothing rings when it has. It is found after about four times what that takes.
class ProgressNaps {
  public:
    /// `all_ring`: every rank lives on this node, so that no message arrives without a ring.
    /// `single_copy`: MPI moves large messages in one copy.
    ProgressNaps(bool all_ring, bool single_copy);

    /// The longest sleep after `cycle`, in whose course the bell `rang` or did not: nothing where
    /// it must not sleep, zero where it gives way.
    std::optional<std::chrono::nanoseconds> after(const PollingCycle& cycle, bool rang,
                                                  std::int64_t now_ns);

  private:
    void watch_large_transfers(const PollingCycle& cycle, std::int64_t now_ns);
    std::chrono::nanoseconds grow(std::chrono::nanoseconds longest);

    bool all_ring_;
    bool single_copy_;
    std::chrono::nanoseconds nap_;     ///< the next one
    std::size_t large_bytes_ = 0;      ///< under way, if a large transfer is among them; else 0
    std::int64_t large_since_ns_ = 0;  ///< when that last changed
};

}  // namespace rrfp
