#pragma once

#include <span>

#include "runtime/simulation/durations.h"

namespace rrfp {

/// A lower bound on the makespan of every run in which rank r has at most `most_in_flight[r]` in
/// flight, milliseconds; any placement, any order, split or not.
///
/// A forward takes one of the rank's places when it starts and gives it back at its release. No run
/// brings it back sooner than the microbatch's way from here through the later stages and back. So
/// the sum of these round trips, shared out over the places, is time that passes at the rank; the
/// shortest way to its first forward comes before, the shortest way on from a release after it.
double in_flight_bound_ms(const Pipeline& pipeline, const Durations& durations,
                          std::span<const int> most_in_flight);

}  // namespace rrfp
