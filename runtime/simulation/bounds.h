#pragma once

#include <vector>

#include "runtime/simulation/durations.h"

namespace rrfp {

/// What no order of work can beat on a realised sample, whatever the limits.
struct Bounds {
    /// The longest chain of tasks and messages of one microbatch.
    double critical_path_ms = 0;
    /// For each rank: its work, plus the shortest way to its first task (head) and from its last
    /// task to the end (tail).
    std::vector<double> rank_work_ms;
    /// The largest of all of these: a lower bound on the makespan.
    double lower_bound_ms = 0;
};

Bounds bounds(const Pipeline& pipeline, const Durations& durations);

}  // namespace rrfp
