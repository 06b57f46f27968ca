#pragma once

#include <string>

#include "runtime/core/schedule_options.h"

namespace rrfp {

/// The arbiter where a user names none, by what was measured best (docs/scheduling.md), for the
/// hint, the limits and the admission of `options`. With one stage a rank `tide`, or with a split
/// backward `tide-w`, below the hint's memory `bfw`. With several the same two under window
/// admission; under the other rules `bfw` with the split, without it `bf`, but `f-priority` under
/// graded admission on `loop` and waves, where the memory of their schedule is not there. All run
/// under `deterministic`; `tide` and `tide-w` need a hint.
std::string default_arbiter(const Pipeline& pipeline, const ScheduleOptions& options);

}  // namespace rrfp
