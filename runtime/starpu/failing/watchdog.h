#pragma once

#include <functional>

#include "runtime/starpu/failing/progress_report.h"

namespace rrfp {

/// Ends the job with a message when no rank has made progress for the set time.
///
/// A thread of its own beats in the node's shared segment. A long task on a rank whose beat is
/// alive is progress; a missing beat is a stopped rank, which the message names. The first rank
/// that notices prints, for every rank, what is ready, what is awaited and from whom, and aborts.
class Watchdog {
  public:
    using Probe = std::function<ProgressReport()>;

    virtual ~Watchdog() = default;
    /// `probe` is called from the watchdog's thread; nullptr stops watching (between iterations).
    virtual void watch(Probe probe) = 0;
};

}  // namespace rrfp
