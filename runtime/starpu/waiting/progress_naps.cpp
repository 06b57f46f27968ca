#include "runtime/starpu/waiting/progress_naps.h"

#include <algorithm>

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
constexpr nanoseconds first_remote_nap = microseconds(50);
constexpr nanoseconds longest_remote_nap = microseconds(500);
/// Long enough that the few naps before the long one cost nothing beside tasks of milliseconds.
constexpr nanoseconds first_nap = milliseconds(1);
/// Ten wake-ups a second cost nothing.
constexpr nanoseconds longest_nap = milliseconds(100);
constexpr int growth = 4;

}  // namespace

ProgressNaps::ProgressNaps(bool all_ring, bool single_copy)
    : all_ring_(all_ring),
      single_copy_(single_copy),
      nap_(all_ring ? first_nap : first_remote_nap) {}

std::optional<nanoseconds> ProgressNaps::after(const PollingCycle& cycle, bool rang,
                                               std::int64_t now_ns) {
    watch_large_transfers(cycle, now_ns);
    if (cycle.fruitful || rang) {
        nap_ = all_ring_ ? first_nap : first_remote_nap;
        return std::nullopt;
    }
    if (large_bytes_ > 0) {
        // Not a short sleep: each of the thirty steps of 1 MB would wait for its end, which took
        // three times as long.
        const bool moving = nanoseconds(now_ns - large_since_ns_) < awake_for_large;
        return moving && !single_copy_ ? nanoseconds::zero() : large_nap;
    }
    if (!all_ring_) return grow(longest_remote_nap);
    return cycle.pending > 0 ? pending_nap : grow(longest_nap);
}

void ProgressNaps::watch_large_transfers(const PollingCycle& cycle, std::int64_t now_ns) {
    const std::size_t bytes = cycle.largest_pending >= eager_bytes ? cycle.pending_bytes : 0;
    if (bytes == large_bytes_) return;
    large_bytes_ = bytes;
    large_since_ns_ = now_ns;
}

nanoseconds ProgressNaps::grow(nanoseconds longest) {
    const nanoseconds nap = nap_;
    nap_ = std::min(nap_ * growth, longest);
    return nap;
}

}  // namespace rrfp
