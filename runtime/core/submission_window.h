#pragma once

#include "runtime/core/pipeline.h"
#include "runtime/core/schedule_options.h"

namespace rrfp {

/// How many microbatches every rank keeps submitted at once, so that memory is bounded and no rank
/// lacks a task that another has already dispatched the predecessor of. Microbatches are submitted
/// in order 0, 1, ...; one leaves when its last task at the rank completes. The same at every rank:
/// the largest limit plus the chunks; for `fixed` what the lists span; for window admission the
/// larger of both, since its progress rests on the hint's next task being there. At most M.
///
/// With the split backward a microbatch leaves with its W. A rank that has B's but not yet W's
/// behind it may then lack a forward that stage 0 has dispatched; it holds at most its limit of
/// such microbatches, nothing restrains their W's, and each lets one more in.
int submission_window(const Pipeline& pipeline, const ScheduleOptions& options);

}  // namespace rrfp
