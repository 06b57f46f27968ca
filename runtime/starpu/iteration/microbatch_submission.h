#pragma once

#include <cstdint>
#include <functional>

#include "runtime/starpu/iteration/chunk_ends.h"
#include "runtime/starpu/iteration/link_messages.h"
#include "runtime/starpu/iteration/microbatch_slot.h"
#include "runtime/starpu/tracing/task_appearance.h"

namespace rrfp {

/// Hands the tasks and messages of a microbatch to StarPU, whose data dependencies do the rest.
class MicrobatchSubmission {
  public:
    using MessageDelay = std::function<double(std::uint64_t iteration, const Task& producer)>;

    MicrobatchSubmission(const Pipeline& pipeline, LinkMessages& messages,
                         const TaskAppearance& appearance, ChunkEnds& chunk_ends,
                         MessageDelay delay);

    /// Asks for the delays of the microbatch's messages. Throws std::invalid_argument for one that
    /// a timer cannot keep, and whatever asking throws; none is delayed then.
    void set_delays(MicrobatchSlot& slot, std::uint64_t iteration) const;
    /// For each stage upwards: receive, forward, send; then downwards: receive, backward, send,
    /// weight gradient. A stage whose neighbour is on this rank shares its handle.
    void submit(MicrobatchSlot& slot, std::uint64_t iteration);

  private:
    void submit_forward(MicrobatchSlot& slot, int chunk, std::uint64_t iteration);
    void submit_backward(MicrobatchSlot& slot, int chunk, std::uint64_t iteration);
    void receive(MicrobatchSlot& slot, int link, std::uint64_t iteration);
    void send(TaskSite& site, std::uint64_t iteration);
    starpu_task* make(TaskSite& site) const;
    double delay(const TaskSite& site, std::uint64_t iteration) const;
    void submit(starpu_task* task) const;

    Pipeline pipeline_;
    LinkMessages& messages_;
    const TaskAppearance& appearance_;
    ChunkEnds& chunk_ends_;
    MessageDelay delay_;
};

}  // namespace rrfp
