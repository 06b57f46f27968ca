#pragma once

#include "runtime/simulation/durations.h"

namespace rrfp {

/// An upper bound on the makespan of every run without limits that starts the forwards of each
/// stage in microbatch order, its backwards too, leaves no worker idle while a task may start
/// there, and alternates: never two tasks of one kind in a row while one of the other kind is
/// ready. Milliseconds; for one stage a rank and a whole backward, std::invalid_argument otherwise.
///
/// The walk back of `any_choice_bound_ms` crosses each stage once with forwards and once with
/// backwards, in stretches of consecutive microbatches that are M - 1 + 2 P long in all. While a
/// stretch of n forwards is worked off, a forward is always ready, so alternation lets at most n
/// consecutive backwards in between: the stretch costs at most the n heaviest consecutive forwards
/// and the n heaviest consecutive backwards of the stage. The bound shares the length out over the
/// stretches in the dearest way. O(P (M + P)^2).
double alternation_bound_ms(const Pipeline& pipeline, const Durations& durations);

/// The same where a task's duration depends on its stage and kind alone, in closed form:
/// (M - 1) max_s(F_s + B_s) + 2 sum_s(F_s + B_s) + the links, from the longest of each. Above
/// `alternation_bound_ms`, and easier to read: nearly the slowest stage's work, whatever M.
double steady_alternation_bound_ms(const Pipeline& pipeline, const Durations& durations);

}  // namespace rrfp
