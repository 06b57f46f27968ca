#pragma once

#include "runtime/core/task.h"

namespace rrfp {

/// What `starpu_task::sched_data` points to for a pipeline task; it must outlive the task.
struct TaskLabel {
    static constexpr unsigned magic_value = 0x52524650;
    unsigned magic = magic_value;
    Task task;
};

}  // namespace rrfp
