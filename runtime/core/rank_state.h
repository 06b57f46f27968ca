#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/core/pipeline.h"
#include "runtime/core/ready_set.h"

namespace rrfp {

/// Where one rank stands in an iteration: what is ready, what was dispatched, what was released.
/// Pure state; one object serves the real scheduler, the simulator and the tests.
class RankState {
  public:
    RankState(const Pipeline& pipeline, int rank);

    void begin_iteration();
    /// The inputs of `task` are present. A task that is not of this rank, is ready already or was
    /// dispatched already is a std::logic_error that names it.
    void mark_ready(const Task& task);
    /// std::logic_error when `task` is not ready.
    void mark_dispatched(const Task& task);
    /// std::logic_error when `task` was not dispatched.
    void mark_completed(const Task& task);
    /// The worker found nothing to run and went to sleep.
    void mark_waited() { waited_ = true; }

    /// While it lives, the release that the end of a running task will bring counts already, for
    /// decisions on what runs after that task.
    class Foresight {
      public:
        Foresight(RankState& state, const Task& running)
            : released_(state.released_),
              count_(running.kind == state.pipeline_.release_kind() ? 1 : 0) {
            released_ += count_;
        }
        ~Foresight() { released_ -= count_; }
        Foresight(const Foresight&) = delete;
        Foresight& operator=(const Foresight&) = delete;

      private:
        int& released_;
        int count_;
    };

    const Pipeline& pipeline() const { return pipeline_; }
    int rank() const { return rank_; }
    int chunks() const { return pipeline_.placement.chunks(rank_); }
    int chunk_of(const Task& task) const { return pipeline_.placement.chunk_of(task.stage); }
    /// The task of this rank that (kind, chunk, microbatch) stands for.
    Task task(TaskKind kind, int chunk, int microbatch) const {
        return {kind, pipeline_.placement.stages_of(rank_)[chunk], microbatch};
    }
    /// Whether `task` is one of this iteration and of this rank.
    bool is_local(const Task& task) const;
    const ReadySet& ready() const { return ready_; }
    /// `task` must be local, here and in `is_dispatched`.
    bool is_ready(const Task& task) const;
    bool is_dispatched(const Task& task) const;

    /// Forwards dispatched minus releases: D of the method (paper, appendix C). A release is the
    /// completed backward, or the completed weight gradient where the backward is split, or the
    /// completed forward in a forward-only iteration.
    int in_flight() const { return forwards_dispatched_ - released_; }
    int in_flight_high_water() const { return in_flight_high_water_; }
    int forwards_dispatched() const { return forwards_dispatched_; }
    int released() const { return released_; }
    int tasks_completed() const { return completed_; }
    bool finished() const { return completed_ == pipeline_.task_count(rank_); }
    /// The lowest microbatch of (kind, chunk) that was not dispatched yet; M when all were.
    int next_undispatched(TaskKind kind, int chunk) const;
    /// One more than the highest microbatch of (kind, chunk) that was dispatched; 0 before any.
    int dispatched_end(TaskKind kind, int chunk) const;
    /// The kind, F or B, of the last dispatch; nothing before the first one.
    std::optional<TaskKind> last_direction() const { return last_direction_; }
    /// Whether the worker has slept since the last dispatch.
    bool waited() const { return waited_; }

  private:
    std::size_t slot(TaskKind kind, int chunk) const;
    void require_local(const Task& task, const char* event) const;
    [[noreturn]] void fail(const Task& task, const std::string& what) const;

    Pipeline pipeline_;
    int rank_;
    ReadySet ready_;
    int forwards_dispatched_ = 0;
    int released_ = 0;
    int in_flight_high_water_ = 0;
    int completed_ = 0;
    bool waited_ = false;
    std::optional<TaskKind> last_direction_;
    std::vector<std::vector<bool>> dispatched_;  // [slot][microbatch]
    std::vector<int> next_undispatched_;         // [slot]
    std::vector<int> dispatched_end_;            // [slot]
};

}  // namespace rrfp
