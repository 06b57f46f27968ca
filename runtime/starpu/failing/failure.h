#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "runtime/core/task.h"

namespace rrfp {

/// An iteration failed at a rank, which the message names; `run` of another rank may throw it.
class RankFailure : public std::runtime_error {
  public:
    /// `text` without the rank.
    RankFailure(int rank, const std::string& text);

    int rank() const { return rank_; }

  protected:
    struct Whole {};
    RankFailure(int rank, const std::string& text, Whole) : std::runtime_error(text), rank_(rank) {}

  private:
    int rank_;
};

/// A task ended with an exception. The message names rank, stage and microbatch and carries the
/// original text; `cause` is the original exception.
///
/// The failure also travels with the messages of the failed rank, so that `run` of another rank may
/// throw it: its `rank` then is not the caller's, and `cause` carries the text alone.
class TaskFailure : public RankFailure {
  public:
    TaskFailure(int rank, const Task& task, std::exception_ptr cause);

    const Task& task() const { return task_; }
    std::exception_ptr cause() const { return cause_; }

  private:
    Task task_;
    std::exception_ptr cause_;
};

/// "forward", "backward" or "weight gradient".
const char* noun(TaskKind kind);

/// What an exception says; a fixed phrase for what is not a std::exception.
std::string text_of(const std::exception_ptr& error);

}  // namespace rrfp
