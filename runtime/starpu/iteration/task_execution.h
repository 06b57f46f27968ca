#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "runtime/core/metrics.h"
#include "runtime/starpu/iteration/iteration_failures.h"
#include "runtime/starpu/iteration/link_parcels.h"
#include "runtime/starpu/iteration/runner_options.h"

namespace rrfp {

/// What the worker does for a task: calls the body with the parcels of its links, keeps the result,
/// frees what was read, and records when. After a failure tasks only pass it on, so that all ranks
/// learn of it.
class TaskExecution {
  public:
    TaskExecution(TaskBody body, IterationFailures& failures, LinkParcels& parcels)
        : body_(std::move(body)), failures_(failures), parcels_(parcels) {}

    /// Before an iteration of `tasks` tasks at this rank.
    void begin(std::uint64_t iteration, int tasks);
    /// The worker's.
    void run(const TaskSite& site);
    /// Whether a task runs now. Any thread.
    bool busy() const { return busy_.load(std::memory_order_relaxed); }
    /// The tasks of the iteration that has ended, in the order of their execution.
    std::vector<TaskRecord> take_records();

  private:
    Parcel result_of(const TaskSite& site);
    Parcel call_body(const TaskSite& site);

    TaskBody body_;
    IterationFailures& failures_;
    LinkParcels& parcels_;
    std::uint64_t iteration_ = 0;
    std::vector<TaskRecord> records_;  // the worker's until the iteration has ended
    std::atomic<bool> busy_ = false;
};

}  // namespace rrfp
