#pragma once

#include <string>

#include "runtime/core/pipeline.h"

namespace rrfp {

/// The hint order of a schedule CSV (see csv.h), fitted to `pipeline`. Throws ScheduleFaults (a
/// std::invalid_argument with one message a fault, see faults.h) for a file that cannot be read, is
/// no whole schedule, or is one for another placement or number of microbatches.
HintOrder read_hint(const std::string& path, const Pipeline& pipeline);

}  // namespace rrfp
