#pragma once

#include <memory>
#include <vector>

#include "runtime/core/dispatcher.h"
#include "runtime/core/metrics.h"
#include "runtime/simulation/durations.h"

namespace rrfp {

struct SimulationOptions {
    /// Size of every result that one stage hands to another: the bytes of the buffers' entries.
    std::int64_t message_bytes = 0;
};

struct SimulationResult {
    double makespan_ms = 0;
    /// `blocking_ms` is the makespan less the rank's compute.
    std::vector<RankIteration> ranks;
};

/// Runs one iteration in virtual time, with no dispatch cost and links without contention. Drives
/// the very dispatchers that the real scheduler uses, one a rank in rank order. All events of one
/// instant are delivered before any worker chooses; workers choose in rank order. An arbiter that
/// waits is asked again at the next event of its rank, and once more where no rank has any event
/// left. Ends when every task has run; std::runtime_error that lists, per rank, what is ready and
/// what is awaited when no event is left before that (a deadlock).
SimulationResult simulate(const Pipeline& pipeline,
                          const std::vector<std::unique_ptr<Dispatcher>>& dispatchers,
                          const Durations& durations, const SimulationOptions& options = {});

}  // namespace rrfp
