#pragma once

#include "runtime/core/pipeline.h"
#include "runtime/core/schedule_options.h"

namespace rrfp {

/// How many microbatches every rank keeps submitted at once, so that memory is bounded and no rank
/// lacks a task that another has already dispatched the predecessor of. Microbatches are submitted
/// in order 0, 1, ...; one leaves when its last task at the rank completes. The same at every rank:
/// the largest limit plus the chunks; for `fixed` what the lists span. At most M.
int submission_window(const Pipeline& pipeline, const ScheduleOptions& options);

}  // namespace rrfp
