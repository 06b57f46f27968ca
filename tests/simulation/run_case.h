#pragma once

#include "adapters/schedules/registry.h"
#include "runtime/core/schedule_options.h"
#include "runtime/simulation/simulator.h"

namespace rrfp {

using Dispatchers = std::vector<std::unique_ptr<Dispatcher>>;

/// One dispatcher for each member of each rank, rank by rank; options must be valid.
inline Dispatchers dispatchers_of(const Pipeline& pipeline, const ScheduleOptions& options,
                                  int members = 1) {
    validate(pipeline, options);
    Dispatchers made;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        for (int member = 0; member < members; ++member) {
            made.push_back(make_dispatcher(pipeline, rank, options));
        }
    }
    return made;
}

/// Simulates `options` on the sample; options must be valid.
inline SimulationResult run_case(const Pipeline& pipeline, const ScheduleOptions& options,
                                 const Durations& sample, const SimulationOptions& extra = {}) {
    return simulate(pipeline, dispatchers_of(pipeline, options), sample, extra);
}

inline Pipeline one_stage_a_rank(int ranks, int microbatches) {
    return {.placement = Placement::loop(ranks), .microbatches = microbatches};
}

/// The same limit at every rank.
inline std::vector<int> flat(const Pipeline& pipeline, int limit) {
    return std::vector<int>(pipeline.placement.ranks(), limit);
}

/// P - s + `more` at rank s: the memory of 1F1B and `more`.
inline std::vector<int> falling(const Pipeline& pipeline, int more = 0) {
    std::vector<int> limits;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        limits.push_back(pipeline.placement.ranks() - rank + more);
    }
    return limits;
}

}  // namespace rrfp
