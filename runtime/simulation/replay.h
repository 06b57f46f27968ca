#pragma once

#include <span>

#include "runtime/core/metrics.h"
#include "runtime/core/schedule_options.h"
#include "runtime/simulation/durations.h"

namespace rrfp {

/// What an iteration that has run showed of its durations: how long each task took, and each
/// message from its producer's end to its arrival, at least 0. `ranks[r]` is pipeline rank r, with
/// its arrivals; all on one clock. A message whose arrival nobody noted took no time.
/// std::invalid_argument for a record that is none of the pipeline's.
Durations measured_durations(const Pipeline& pipeline, std::span<const RankIteration> ranks);

/// The mean time, milliseconds, that the iterations of `samples` take in simulation under
/// `options`, which are valid. One set of dispatchers runs them in order, so that an arbiter that
/// learns goes on learning.
double replayed_ms(const Pipeline& pipeline, const ScheduleOptions& options,
                   std::span<const Durations> samples);

}  // namespace rrfp
