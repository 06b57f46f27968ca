#pragma once

#include <functional>

namespace rrfp {

/// Runs `work` as a StarPU task of its own on the compute worker and waits for it, asleep. For what
/// belongs on the worker between iterations (the optimizer step), so that it shows in traces under
/// `name` (a string literal). An exception out of `work` is rethrown here. Call it with no other
/// task in flight; std::runtime_error when StarPU refuses the task.
void run_on_worker(const char* name, const std::function<void()>& work);

}  // namespace rrfp
