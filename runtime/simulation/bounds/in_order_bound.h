#pragma once

#include <span>

#include "runtime/simulation/durations.h"

namespace rrfp {

/// A lower bound on the makespan of every run that starts the forwards of each stage in microbatch
/// order, its backwards too, and has at most `limits[r]` in flight at rank r, milliseconds. For one
/// stage a rank and a whole backward; std::invalid_argument otherwise.
///
/// Earliest starts over what the run must respect: the inputs, the order of each kind, and the
/// limit L, which makes F(m) wait for B(m - L). Each is raised by what one worker can do: of the
/// tasks of its rank that must precede x, take those that cannot start before some time t; x cannot
/// start before t plus all their durations. O(P M^2).
double in_order_bound_ms(const Pipeline& pipeline, const Durations& durations,
                         std::span<const int> limits);

}  // namespace rrfp
