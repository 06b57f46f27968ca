#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/starpu/buffer_accounts.h"
#include "runtime/starpu/chunk_ends.h"
#include "runtime/starpu/iteration_progress.h"
#include "runtime/starpu/microbatch_slot.h"
#include "runtime/starpu/microbatch_submission.h"
#include "runtime/starpu/pipeline_runner.h"
#include "runtime/starpu/task_appearance.h"
#include "runtime/starpu/transport.h"

namespace rrfp {

/// What happens to a microbatch at a rank, from its submission until its last task and send have
/// ended: calls the body, passes parcels on, frees them, counts.
///
/// `begin`, `submit` and `take_records` belong to the submitting thread, the SlotEvents to the
/// threads that they name. Locks: pool, accounts and progress have one each, and no two are ever
/// held at once. The order of calls in an event is: free storage, then the pool (the slot may be
/// taken again from there on), then progress (the engine may be destroyed from there on).
class IterationEngine final : public SlotEvents, private ChunkEndEvents {
  public:
    IterationEngine(const Pipeline& pipeline, int rank, TaskBody body, RunnerOptions options,
                    bool traced);

    void begin(std::uint64_t iteration);
    void submit(int microbatch);
    /// Ends the iteration for want of decisions.
    void fail_arbitration(const std::string& text);
    /// Ends the iteration because of what came from outside it.
    void interrupt(std::exception_ptr error);
    /// The tasks of the iteration that has ended, in the order of their execution.
    std::vector<TaskRecord> take_records();

    IterationProgress& progress() { return progress_; }
    const SlotPool& pool() const { return pool_; }
    const Transport& transport() const { return transport_; }
    Buffers buffers() const { return accounts_.read(); }
    bool busy() const { return busy_.load(std::memory_order_relaxed); }
    std::uint64_t arrivals() const { return arrivals_.load(std::memory_order_relaxed); }

    void execute(TaskSite& site) override;
    void task_ended(TaskSite& site) override;
    void arrived(LinkSite& site, std::exception_ptr error) override;
    void sent(LinkSite& site) override;

  private:
    void chunk_finished(int chunk) override;
    void chunk_end_ended() override;

    Parcel compute(const TaskSite& site);
    Parcel call_body(const TaskSite& site);
    std::shared_ptr<const RemoteFailure> failure_of_inputs(const TaskSite& site) const;
    const Parcel& parcel(const TaskSite& site, int link) const;
    void keep(const TaskSite& site, Parcel result);
    void free_inputs(const TaskSite& site);
    void release(LinkSite& site);
    void fail(std::shared_ptr<const RemoteFailure> failure, std::exception_ptr cause);

    Pipeline pipeline_;
    int rank_;        // in the pipeline
    int world_rank_;  // in MPI_COMM_WORLD, for messages
    TaskBody body_;
    std::function<void(int)> on_chunk_finished_;
    int window_;
    std::uint64_t iteration_ = 0;
    std::vector<TaskRecord> records_;  // the worker's until the iteration has ended
    std::atomic<bool> busy_ = false;
    std::atomic<std::uint64_t> arrivals_ = 0;

    BufferAccounts accounts_;
    IterationProgress progress_;
    SlotPool pool_;
    TaskAppearance appearance_;
    Transport transport_;
    ChunkEnds chunk_ends_;
    MicrobatchSubmission submission_;
};

}  // namespace rrfp
