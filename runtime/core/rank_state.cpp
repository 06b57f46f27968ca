#include "runtime/core/rank_state.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace rrfp {

RankState::RankState(const Pipeline& pipeline, int rank)
    : pipeline_(pipeline),
      rank_(rank),
      ready_(pipeline.placement.chunks(rank), pipeline.microbatches),
      dispatched_(task_kinds * chunks(), std::vector<bool>(pipeline.microbatches)),
      next_undispatched_(task_kinds * chunks()),
      dispatched_end_(task_kinds * chunks()) {}

void RankState::begin_iteration() {
    ready_.clear();
    forwards_dispatched_ = 0;
    released_ = 0;
    in_flight_high_water_ = 0;
    completed_ = 0;
    waited_ = false;
    last_direction_.reset();
    for (auto& row : dispatched_) {
        std::fill(row.begin(), row.end(), false);
    }
    std::fill(next_undispatched_.begin(), next_undispatched_.end(), 0);
    std::fill(dispatched_end_.begin(), dispatched_end_.end(), 0);
}

void RankState::mark_ready(const Task& task) {
    require_local(task, "became ready");
    if (is_ready(task)) {
        fail(task, "became ready twice");
    }
    if (is_dispatched(task)) {
        fail(task, "became ready after it was dispatched");
    }
    ready_.insert(task.kind, chunk_of(task), task.microbatch);
}

void RankState::mark_dispatched(const Task& task) {
    require_local(task, "was dispatched");
    if (!is_ready(task)) {
        fail(task, "was dispatched but is not ready");
    }
    const int chunk = chunk_of(task);
    ready_.erase(task.kind, chunk, task.microbatch);
    auto& row = dispatched_[slot(task.kind, chunk)];
    row[task.microbatch] = true;
    int& next = next_undispatched_[slot(task.kind, chunk)];
    while (next < pipeline_.microbatches && row[next]) {
        ++next;
    }
    int& end = dispatched_end_[slot(task.kind, chunk)];
    end = std::max(end, task.microbatch + 1);
    waited_ = false;
    if (task.kind != TaskKind::weight_gradient) {
        last_direction_ = task.kind;
    }
    if (task.kind == TaskKind::forward) {
        ++forwards_dispatched_;
        in_flight_high_water_ = std::max(in_flight_high_water_, in_flight());
    }
}

void RankState::mark_completed(const Task& task) {
    require_local(task, "completed");
    if (!is_dispatched(task)) {
        fail(task, "completed but was not dispatched");
    }
    ++completed_;
    if (task.kind == pipeline_.release_kind()) {
        ++released_;
    }
}

bool RankState::is_local(const Task& task) const {
    return task.stage >= 0 && task.stage <= pipeline_.last_stage() && task.microbatch >= 0 &&
           task.microbatch < pipeline_.microbatches &&
           static_cast<int>(task.kind) < pipeline_.kinds() &&
           pipeline_.placement.rank_of(task.stage) == rank_;
}

bool RankState::is_ready(const Task& task) const {
    return ready_.contains(task.kind, chunk_of(task), task.microbatch);
}

bool RankState::is_dispatched(const Task& task) const {
    return dispatched_[slot(task.kind, chunk_of(task))][task.microbatch];
}

int RankState::next_undispatched(TaskKind kind, int chunk) const {
    return next_undispatched_[slot(kind, chunk)];
}

int RankState::dispatched_end(TaskKind kind, int chunk) const {
    return dispatched_end_[slot(kind, chunk)];
}

std::size_t RankState::slot(TaskKind kind, int chunk) const {
    return static_cast<std::size_t>(kind) * chunks() + chunk;
}

void RankState::require_local(const Task& task, const char* event) const {
    if (!is_local(task)) {
        fail(task, fmt::format("{}, but is no task of this rank in this iteration", event));
    }
}

void RankState::fail(const Task& task, const std::string& what) const {
    throw std::logic_error(fmt::format("rank {}: {} {}", rank_, to_action(task), what));
}

}  // namespace rrfp
