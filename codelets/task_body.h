#pragma once

#include "codelets/stage_program.h"
#include "runtime/starpu/iteration/runner_options.h"

namespace rrfp {

/// The task body that executes `program`, which must outlive it.
TaskBody make_task_body(StageProgram& program);

}  // namespace rrfp
