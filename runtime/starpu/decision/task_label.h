#pragma once

#include "runtime/core/task.h"

namespace rrfp {

/// What `starpu_task::sched_data` points to for a task of a pipeline; it must outlive the task.
struct TaskLabel {
    static constexpr unsigned magic_value = 0x52524650;
    unsigned magic = magic_value;
    /// No task that the dispatcher knows: it goes ahead of whatever the dispatcher would choose.
    bool urgent = false;
    Task task{};
};

}  // namespace rrfp
