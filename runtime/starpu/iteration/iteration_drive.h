#pragma once

#include <functional>

#include "runtime/starpu/iteration/iteration_engine.h"
#include "runtime/starpu/session/driven_worker.h"

namespace rrfp {

/// Brings an iteration that has begun to its end on the calling thread, which both submits it and
/// is the compute worker. Calls `interruption` at least every 20 ms between tasks; an exception out
/// of it fails the iteration. Throws the iteration's first failure, once the tasks that pass it on
/// to other ranks have run, or after a second where they cannot.
void drive_iteration(IterationEngine& engine, DrivenWorker& worker,
                     const std::function<void()>& interruption);

}  // namespace rrfp
