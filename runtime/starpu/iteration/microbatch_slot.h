#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/starpu/decision/task_label.h"
#include "runtime/starpu/iteration/rank_links.h"
#include "runtime/starpu/messages/tensor_interface.h"

namespace rrfp {

struct MicrobatchSlot;
class SlotEvents;

/// A task of the microbatch that occupies a slot; StarPU's codelets, callbacks and policy get it.
struct TaskSite {
    SlotEvents* events = nullptr;
    MicrobatchSlot* slot = nullptr;
    TaskLabel label;
    TaskLinks links;
    double delay_ms = 0;  ///< from its end until its result is sent
    bool ended = false;   ///< under the pool's lock
};

/// A link of the microbatch that occupies a slot; StarPU-MPI's callbacks get it.
struct LinkSite {
    SlotEvents* events = nullptr;
    MicrobatchSlot* slot = nullptr;
    const Link* link = nullptr;
    TensorHandle handle;
    bool arrived = false;  ///< under the pool's lock
};

/// What StarPU and StarPU-MPI tell of a slot.
class SlotEvents {
  public:
    /// On the worker: compute the task.
    virtual void execute(TaskSite& site) = 0;
    /// On the worker: the task has ended and its successors are ready.
    virtual void task_ended(TaskSite& site) = 0;
    /// On StarPU-MPI's thread or on the one that posted the receive.
    virtual void arrived(LinkSite& site, std::exception_ptr error) = 0;
    /// On StarPU-MPI's thread.
    virtual void sent(LinkSite& site) = 0;

  protected:
    ~SlotEvents() = default;
};

/// The handles and task descriptions of one microbatch at one rank. Handles are registered once and
/// used again, since cold ones cost several times more.
struct MicrobatchSlot {
    MicrobatchSlot(const Pipeline& pipeline, int rank, const RankLinks& links, SlotEvents& events);

    TaskSite& task(TaskKind kind, int chunk) {
        return tasks[static_cast<int>(kind) * chunks + chunk];
    }

    int chunks;
    int microbatch = -1;          ///< -1 while no microbatch occupies it
    std::deque<LinkSite> links;   ///< in the order of RankLinks
    std::vector<TaskSite> tasks;  ///< [kind * chunks + chunk]
    int work_left = 0;            ///< tasks and sends; under the pool's lock
    int until_leaving = 0;        ///< tasks after which the microbatch leaves the window; as above
};

/// A message that a rank waits for.
struct AwaitedMessage {
    const Link* link = nullptr;
    int microbatch = 0;
    int later = 0;  ///< further microbatches that the same link waits for
};

/// The slots of a rank. It grows to the window and what is still being sent, and no further.
class SlotPool {
  public:
    SlotPool(const Pipeline& pipeline, int rank, SlotEvents& events);

    const RankLinks& links() const { return links_; }
    /// A free slot, made the microbatch's.
    MicrobatchSlot& occupy(int microbatch);
    /// Tells whether the microbatch leaves the window now. The slot may be another's on return.
    bool task_ended(TaskSite& site);
    void sent(MicrobatchSlot& slot);
    void arrived(LinkSite& site);
    /// For each link, the first message that is missing: an activation of a submitted microbatch,
    /// or a gradient of one whose forward has ended.
    std::vector<AwaitedMessage> awaited() const;

  private:
    void count_down(MicrobatchSlot& slot);
    bool is_awaited(const MicrobatchSlot& slot, const LinkSite& site) const;

    Pipeline pipeline_;
    int rank_;
    RankLinks links_;
    SlotEvents& events_;
    mutable std::mutex mutex_;
    std::deque<MicrobatchSlot> slots_;
    std::vector<MicrobatchSlot*> free_;
};

}  // namespace rrfp
