#pragma once

#include <span>

#include "runtime/simulation/durations.h"

namespace rrfp {

/// As `any_choice_bound_ms`, for runs in which rank r admits no forward while `limits[r]` are in
/// flight there: what a limit can cost at most. Milliseconds.
///
/// A forward may now wait for a place instead of its input. Then the walk back turns: from the
/// backward that freed the place towards the last stage, and forwards again from there. A turn at a
/// stage goes back by at least its limit of microbatches, and crosses the stages behind it once
/// more: so each microbatch but the first costs at most the dearest ramp / limit in addition.
double limited_choice_bound_ms(const Pipeline& pipeline, const Durations& durations,
                               std::span<const int> limits);

}  // namespace rrfp
