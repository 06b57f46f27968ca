#pragma once

#include <cstdint>
#include <string>

#include "runtime/starpu/failing/safe_line.h"

namespace rrfp {

/// What a rank is at, as it tells of itself.
enum class Phase : std::uint8_t {
    unknown,        ///< it has not said: outside an iteration, in its caller's own code
    starting,       ///< MPI, StarPU, the model
    loading,        ///< a checkpoint
    iteration,      ///< runs tasks of an iteration
    evaluation,     ///< runs tasks of an evaluation pass
    waiting,        ///< between iterations, for the other ranks
    between,        ///< between iterations, at work
    step,           ///< the optimizer's
    checkpoint,     ///< writes one
    report,         ///< gathers and writes what the run has to tell
    shutting_down,  ///< StarPU-MPI and StarPU
    leaving         ///< the last collective calls of MPI; no watchdog beats any more
};

/// E.g. "in the optimizer step of iteration 3"; `iteration` counts from 1, 0 is none.
std::string text_of(Phase phase, std::int64_t iteration);
/// Appends the same. A signal handler may call it.
void append(SafeLine& line, Phase phase, std::int64_t iteration);

/// Whether a rank at this is at work of its own, so that others wait for it with reason.
bool is_work(Phase phase);

}  // namespace rrfp
