#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/starpu/iteration/arrival_log.h"
#include "runtime/starpu/iteration/chunk_ends.h"
#include "runtime/starpu/iteration/iteration_failures.h"
#include "runtime/starpu/iteration/iteration_progress.h"
#include "runtime/starpu/iteration/link_messages.h"
#include "runtime/starpu/iteration/link_parcels.h"
#include "runtime/starpu/iteration/microbatch_slot.h"
#include "runtime/starpu/iteration/microbatch_submission.h"
#include "runtime/starpu/iteration/runner_options.h"
#include "runtime/starpu/iteration/task_execution.h"
#include "runtime/starpu/tracing/task_appearance.h"

namespace rrfp {

/// An iteration at one rank: submits microbatches, and hands what StarPU and StarPU-MPI tell of
/// them to whom it concerns.
///
/// `begin`, `submit` and `take_records` belong to the submitting thread, the SlotEvents to the
/// threads that they name. Locks: pool, parcels and progress have one each, and no two are ever
/// held at once. The order of calls in an event is: free parcels, then the pool (the slot may be
/// taken again from there on), then progress (the engine may be destroyed from there on).
class IterationEngine final : public SlotEvents, private ChunkEndEvents {
  public:
    IterationEngine(const Pipeline& pipeline, int rank, TaskBody body, RunnerOptions options,
                    bool traced);

    void begin(std::uint64_t iteration);
    void submit(int microbatch);
    /// The tasks of the iteration that has ended, in the order of their execution.
    std::vector<TaskRecord> take_records() { return execution_.take_records(); }
    /// Its messages, in the order of their arrival.
    std::vector<ArrivalRecord> take_arrivals() { return arrival_log_.take(); }

    IterationProgress& progress() { return progress_; }
    IterationFailures& failures() { return failures_; }
    const SlotPool& pool() const { return pool_; }
    const LinkMessages& messages() const { return messages_; }
    Buffers buffers() const { return parcels_.read(); }
    bool busy() const { return execution_.busy(); }
    std::uint64_t arrivals() const { return arrivals_.load(std::memory_order_relaxed); }

    void execute(TaskSite& site) override { execution_.run(site); }
    void task_ended(TaskSite& site) override;
    void arrived(LinkSite& site, std::exception_ptr error) override;
    void sent(LinkSite& site) override;

  private:
    void chunk_finished(int chunk) override;
    void chunk_end_ended() override;

    Pipeline pipeline_;
    int rank_;  // in the pipeline
    std::function<void(int)> on_chunk_finished_;
    int window_;
    std::uint64_t iteration_ = 0;
    std::atomic<std::uint64_t> arrivals_ = 0;

    IterationProgress progress_;
    IterationFailures failures_;
    LinkParcels parcels_;
    ArrivalLog arrival_log_;
    TaskExecution execution_;
    SlotPool pool_;
    TaskAppearance appearance_;
    LinkMessages messages_;
    ChunkEnds chunk_ends_;
    MicrobatchSubmission submission_;
};

}  // namespace rrfp
