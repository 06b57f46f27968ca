#pragma once

#include "runtime/simulation/durations.h"

namespace rrfp {

/// An upper bound on the makespan of every run without limits that starts the forwards of each
/// stage in microbatch order, its backwards too, and leaves no worker idle while a task may start
/// there: whatever it chooses between forward and backward. Milliseconds; for one stage a rank and
/// a whole backward, std::invalid_argument otherwise.
///
/// For each microbatch its longest forward and its longest backward over the stages; once more the
/// longest forward and the longest backward of every stage but the slowest; and each link's longest
/// delay. The proof (docs/correctness.md) walks back from the end of the run along what each task
/// waited for.
double any_choice_bound_ms(const Pipeline& pipeline, const Durations& durations);

}  // namespace rrfp
