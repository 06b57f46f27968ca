#pragma once

#include <string>

#include "runtime/starpu/failing/progress_report.h"
#include "runtime/starpu/iteration/iteration_engine.h"

namespace rrfp {

/// What a rank in an iteration is doing, for the watchdog; `arbiter` is named where it does not
/// return from a call, and so holds whoever would ask it. Any thread.
ProgressReport stall_report(IterationEngine& engine, unsigned context, const std::string& arbiter);

}  // namespace rrfp
