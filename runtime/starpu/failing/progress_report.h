#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/starpu/failing/phase.h"

namespace rrfp {

/// What a rank is doing, for the watchdog's message.
struct ProgressReport {
    std::uint64_t progress = 0;    ///< changes whenever a task ends or a message arrives
    bool working = false;          ///< an iteration is under way here
    bool busy = false;             ///< a task is running now
    Phase phase = Phase::unknown;  ///< for what is outside an iteration
    std::int64_t iteration = 0;    ///< the last that began here, from 1; 0 = not known
    std::string ready;             ///< e.g. "2F7 2B3", empty when nothing
    /// e.g. "activation of microbatch 7 from rank 1 (stage 1)", one entry a missing message
    std::vector<std::string> awaited;
};

}  // namespace rrfp
