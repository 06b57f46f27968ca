#pragma once

#include "runtime/starpu/failing/progress_report.h"
#include "runtime/starpu/iteration/iteration_engine.h"

namespace rrfp {

/// What a rank in an iteration is doing, for the watchdog. Any thread.
ProgressReport stall_report(IterationEngine& engine, unsigned context);

}  // namespace rrfp
