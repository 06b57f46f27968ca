#pragma once

#include <starpu.h>

#include "runtime/core/dispatcher.h"

namespace rrfp {

/// The scheduling policy `rrfp`, for `starpu_conf::sched_policy`. The same object is what
/// `librrfp_policy.so` hands to any StarPU program through STARPU_SCHED_LIB.
///
/// Tasks that carry a TaskLabel are arbitrated by the dispatcher of their context; all others run
/// in order of priority, then of arrival.
starpu_sched_policy* scheduling_policy();

/// Lets `dispatcher` arbitrate the labelled tasks of `context`; nullptr takes it back. The caller
/// keeps it alive, and touches it only between iterations or under `with_dispatcher`.
void set_dispatcher(unsigned context, Dispatcher* dispatcher);

/// What `starpu_task::sched_data` points to for a pipeline task; it must outlive the task.
struct TaskLabel {
    static constexpr unsigned magic_value = 0x52524650;
    unsigned magic = magic_value;
    Task task;
};

}  // namespace rrfp
