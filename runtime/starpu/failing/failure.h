#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "runtime/core/task.h"

namespace rrfp {

/// A task ended with an exception. The message names rank, stage and microbatch and carries the
/// original text; `cause` is the original exception.
///
/// The failure also travels with the messages of the failed rank, so that `run` of another rank may
/// throw it: its `rank` then is not the caller's, and `cause` carries the text alone.
class TaskFailure : public std::runtime_error {
  public:
    TaskFailure(int rank, const Task& task, std::exception_ptr cause);

    int rank() const { return rank_; }
    const Task& task() const { return task_; }
    std::exception_ptr cause() const { return cause_; }

  private:
    int rank_;
    Task task_;
    std::exception_ptr cause_;
};

/// What an exception says; a fixed phrase for what is not a std::exception.
std::string text_of(const std::exception_ptr& error);

}  // namespace rrfp
