#pragma once

#include <vector>

#include "runtime/core/metrics.h"
#include "runtime/core/pipeline.h"

namespace rrfp {

/// The occupancy of the four buffers of every rank, as the runtime holds them, from what happens in
/// simulated time. An entry is one result of one stage for one microbatch.
///
/// forward_ready: a received activation, from its arrival until the microbatch is released.
/// forward_finished: from the end of F until the message has arrived at the next stage.
/// backward_ready: a received gradient, from its arrival until the release; on the last stage the
/// stage's own output, from the end of F.
/// backward_finished: from the end of B until the message has arrived at the previous stage.
/// A hop inside a rank hands the entry over at once.
class BufferModel {
  public:
    /// `message_bytes`: the size of every entry.
    BufferModel(const Pipeline& pipeline, std::int64_t message_bytes);

    void task_ended(const Task& task);
    /// The result of `producer` has reached `consumer`'s rank, by a message or inside a rank.
    void arrived(const Task& producer, const Task& consumer);

    const Buffers& buffers(int rank) const { return buffers_[rank]; }

  private:
    /// The buffer that holds the result of `task` until its message has arrived.
    static BufferKind finished(const Task& task);
    Occupancy& buffer(int stage, BufferKind kind);

    const Pipeline& pipeline_;
    std::int64_t message_bytes_;
    std::vector<Buffers> buffers_;  // [rank]
};

}  // namespace rrfp
