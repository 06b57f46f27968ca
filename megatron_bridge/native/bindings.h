#pragma once

#include <nanobind/nanobind.h>

namespace rrfp::python {

/// `Task`: kind, stage, microbatch.
void bind_task(nanobind::module_& module);
/// `words`, `limits` and what else is known of the keys of `[schedule]`.
void bind_plan(nanobind::module_& module);
/// `Runtime`: the process's MPI and StarPU.
void bind_runtime(nanobind::module_& module);
/// `Runner`, `Iteration`, `TaskFailure`.
void bind_runner(nanobind::module_& module);

}  // namespace rrfp::python
