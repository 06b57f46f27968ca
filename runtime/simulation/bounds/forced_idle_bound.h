#pragma once

#include <span>

#include "runtime/simulation/durations.h"

namespace rrfp {

/// A lower bound on the makespan of every run in which rank r has at most `most_in_flight[r]` = L
/// in flight, milliseconds; any placement, any order, split or not. 0 for forward-only iterations.
///
/// Before a rank's first backward starts it can have run forwards alone, and at most L of them, as
/// nothing was released: from the earliest possible start of a backward on, all but the L longest
/// forwards are still to do. Seen from the end: after a rank's last forward at most L microbatches
/// are in flight, so all but L backwards (with their weight gradients) lie before it, and from its
/// end on the microbatch has its way through the later stages and back to go. With more forwards
/// than L the first backward comes before the last forward, so that both apply at once.
double forced_idle_bound_ms(const Pipeline& pipeline, const Durations& durations,
                            std::span<const int> most_in_flight);

}  // namespace rrfp
