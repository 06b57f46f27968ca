#include "runtime/starpu/iteration/rank_links.h"

#include <algorithm>

namespace rrfp {

BufferKind Link::buffer() const {
    const bool forward = direction == Direction::activation;
    if (send_to) return forward ? BufferKind::forward_finished : BufferKind::backward_finished;
    return forward ? BufferKind::forward_ready : BufferKind::backward_ready;
}

RankLinks::RankLinks(const Pipeline& pipeline, int rank) : last_stage_(pipeline.last_stage()) {
    const TaskKind last_reader = pipeline.release_kind();
    for (int stage = 1; stage <= last_stage_; ++stage) {
        add({.direction = Direction::activation,
             .stage = stage,
             .receive_from = {},
             .send_to = {},
             .producer_kind = TaskKind::forward,
             .producer_stage = stage - 1,
             .last_reader = last_reader},
            rank, pipeline.placement);
    }
    if (pipeline.forward_only) return;
    for (int stage = 0; stage <= last_stage_; ++stage) {
        const bool own_result = stage == last_stage_;
        add({.direction = Direction::gradient,
             .stage = stage,
             .receive_from = {},
             .send_to = {},
             .producer_kind = own_result ? TaskKind::forward : TaskKind::backward,
             .producer_stage = own_result ? stage : stage + 1,
             .last_reader = last_reader},
            rank, pipeline.placement);
    }
}

void RankLinks::add(Link link, int rank, const Placement& placement) {
    const int from = placement.rank_of(link.producer_stage);
    const int to = placement.rank_of(link.stage);
    if (from != rank && to != rank) return;
    if (from != rank) {
        link.receive_from = from;
        ++receives_;
    }
    if (to != rank) {
        link.send_to = to;
        ++sends_;
    }
    links_.push_back(link);
}

int RankLinks::find(Direction direction, int stage) const {
    const auto found = std::ranges::find_if(links_, [&](const Link& link) {
        return link.direction == direction && link.stage == stage;
    });
    return found == links_.end() ? -1 : static_cast<int>(found - links_.begin());
}

TaskLinks RankLinks::of(TaskKind kind, int stage) const {
    TaskLinks result;
    result.input = find(Direction::activation, stage);
    if (kind == TaskKind::forward) {
        result.output = stage == last_stage_ ? find(Direction::gradient, stage)
                                             : find(Direction::activation, stage + 1);
        return result;
    }
    result.gradient = find(Direction::gradient, stage);
    // Stage 0's gradient of its inputs goes nowhere.
    if (kind == TaskKind::backward && stage > 0) {
        result.output = find(Direction::gradient, stage - 1);
    }
    return result;
}

}  // namespace rrfp
