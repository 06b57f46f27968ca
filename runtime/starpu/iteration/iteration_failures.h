#pragma once

#include <exception>
#include <memory>
#include <string>

#include "runtime/starpu/iteration/iteration_progress.h"

namespace rrfp {

/// How an iteration fails at a rank: each way in makes the exception that `run` throws here, and
/// what travels to the ranks that wait for this one. The first failure counts.
class IterationFailures {
  public:
    /// `world_rank` is this process's, for messages.
    IterationFailures(int world_rank, IterationProgress& progress)
        : world_rank_(world_rank), progress_(progress) {}

    /// What tasks pass on instead of computing; null while nothing has failed.
    std::shared_ptr<const RemoteFailure> current() const { return progress_.failure(); }

    /// The body of `task` threw. Returns what its result carries.
    std::shared_ptr<const RemoteFailure> task_failed(const Task& task, std::exception_ptr cause);
    /// What `task` was to read carries the failure of another rank.
    void failed_elsewhere(const std::shared_ptr<const RemoteFailure>& failure);
    /// The message that `reader` was to read is none; `text` says why.
    void message_damaged(const Task& reader, const std::string& text);
    void chunk_end_failed(int chunk, const std::exception_ptr& cause);
    /// Nobody decides any more.
    void arbitration_failed(const std::string& text);
    /// `run` throws `error` itself.
    void submission_failed(int microbatch, std::exception_ptr error);
    /// From outside the iteration; `run` throws `error` itself.
    void interrupted(std::exception_ptr error);

  private:
    void fail(std::shared_ptr<const RemoteFailure> failure, std::exception_ptr cause);
    void fail_without_task(std::string text);
    void fail_as_is(std::exception_ptr error, const std::string& what);

    int world_rank_;
    IterationProgress& progress_;
};

}  // namespace rrfp
