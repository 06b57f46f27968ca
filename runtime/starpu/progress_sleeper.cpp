#include "runtime/starpu/progress_sleeper.h"

#include <algorithm>
#include <sched.h>

#include "runtime/starpu/monotonic_clock.h"
#include "runtime/starpu/this_thread.h"

namespace rrfp {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// Open MPI sends up to 4096 bytes, its header included, at once (btl_vader_eager_limit).
constexpr std::size_t eager_bytes = 4000;
constexpr nanoseconds awake_for_large = milliseconds(3);
constexpr nanoseconds large_nap = microseconds(200);
constexpr nanoseconds pending_nap = milliseconds(1);
constexpr nanoseconds shortest_remote_nap = microseconds(50);
constexpr nanoseconds longest_remote_nap = microseconds(500);
/// No ring is lost, so this is only a safeguard; ten wake-ups a second cost nothing.
constexpr nanoseconds idle_sleep = milliseconds(100);

}  // namespace

ProgressSleeper::ProgressSleeper(Doorbell& bell, bool all_ring, bool single_copy)
    : bell_(bell), all_ring_(all_ring), single_copy_(single_copy), nap_(shortest_remote_nap) {}

void ProgressSleeper::cycle_ended(const PollingCycle& cycle) {
    this_thread::set_precise_timers();
    watch_large_transfers(cycle);
    if (cycle.fruitful || bell_.rings() != seen_) {
        nap_ = shortest_remote_nap;
    } else {
        rest(cycle);
    }
    // Last, so that it is read before the next cycle looks at anything.
    seen_ = bell_.rings();
}

void ProgressSleeper::watch_large_transfers(const PollingCycle& cycle) {
    const std::size_t bytes = cycle.largest_pending >= eager_bytes ? cycle.pending_bytes : 0;
    if (bytes == large_bytes_) return;
    large_bytes_ = bytes;
    large_since_ns_ = monotonic_ns();
}

void ProgressSleeper::rest(const PollingCycle& cycle) {
    if (large_bytes_ > 0 && !single_copy_ &&
        nanoseconds(monotonic_ns() - large_since_ns_) < awake_for_large) {
        // Not a short sleep: each of the thirty steps of 1 MB would wait for its end, which took
        // three times as long.
        sched_yield();
        return;
    }
    ++sleeps_;
    bell_.sleep(seen_, longest_sleep(cycle));
}

nanoseconds ProgressSleeper::longest_sleep(const PollingCycle& cycle) {
    if (large_bytes_ > 0) return large_nap;
    if (!all_ring_) {
        const nanoseconds nap = nap_;
        nap_ = std::min(nap_ * 2, longest_remote_nap);
        return nap;
    }
    return cycle.pending > 0 ? pending_nap : idle_sleep;
}

}  // namespace rrfp
