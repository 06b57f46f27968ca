#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "runtime/core/task.h"

namespace rrfp {

/// A task ended with an exception. The message names rank, stage and microbatch and carries the
/// original text; `cause` is the original exception.
class TaskFailure : public std::runtime_error {
  public:
    TaskFailure(int rank, const Task& task, std::exception_ptr cause);

    const Task& task() const { return task_; }
    std::exception_ptr cause() const { return cause_; }

  private:
    Task task_;
    std::exception_ptr cause_;
};

}  // namespace rrfp
