#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rrfp {

/// What a rank is doing, for the watchdog's message.
struct ProgressReport {
    std::uint64_t progress = 0;  ///< changes whenever a task ends or a message arrives
    bool working = false;        ///< an iteration is under way here
    bool busy = false;           ///< a task is running now
    std::string ready;           ///< e.g. "2F7 2B3", empty when nothing
    /// e.g. "activation of microbatch 7 from rank 1 (stage 1)", one entry a missing message
    std::vector<std::string> awaited;
    std::vector<int> awaited_ranks;
};

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
