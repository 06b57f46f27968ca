#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/core/metrics.h"
#include "runtime/core/pipeline.h"
#include "runtime/starpu/messages/message_tag.h"

namespace rrfp {

/// Data that passes between two tasks of a microbatch, seen from one rank: the activation that
/// `stage` reads, or the gradient that its backward reads. The last stage's own result is the
/// gradient that its backward reads, and no message. One handle holds it.
struct Link {
    Direction direction = Direction::activation;
    int stage = 0;  ///< the stage that reads it
    /// Pipeline rank to receive it from, or to send it to; neither for what stays on this rank.
    std::optional<int> receive_from;
    std::optional<int> send_to;

    /// The task that makes it.
    TaskKind producer_kind = TaskKind::forward;
    int producer_stage = 0;
    /// The last task at this rank that reads it, after which it is freed; of `stage`.
    TaskKind last_reader = TaskKind::forward;

    /// The buffer of the method in which this rank holds it.
    BufferKind buffer() const;
};

/// Indices of links; -1 where the task has none.
struct TaskLinks {
    int input = -1;     ///< the stage's input
    int gradient = -1;  ///< the gradient of the stage's output, of a backward or weight gradient
    int output = -1;
};

/// What the tasks of one rank read and write for each microbatch.
class RankLinks {
  public:
    RankLinks(const Pipeline& pipeline, int rank);

    std::span<const Link> links() const { return links_; }
    /// Links of any microbatch's (kind, stage), which must be of this rank.
    TaskLinks of(TaskKind kind, int stage) const;
    /// Messages of one microbatch that this rank sends.
    int sends() const { return sends_; }
    /// Messages of one microbatch that it receives.
    int receives() const { return receives_; }

  private:
    void add(Link link, int rank, const Placement& placement);
    int find(Direction direction, int stage) const;

    std::vector<Link> links_;
    int last_stage_;
    int sends_ = 0;
    int receives_ = 0;
};

}  // namespace rrfp
