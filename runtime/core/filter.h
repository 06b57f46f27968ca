#pragma once

#include <optional>
#include <vector>

#include "runtime/core/rank_state.h"

namespace rrfp {

/// What the filters leave of the ready set: for each (kind, chunk) the microbatches below a bound,
/// and, while a drain names the next task, that task alone.
class Admission {
  public:
    explicit Admission(const RankState& state);

    /// Everything is admitted.
    void reset();
    /// Admits only microbatches below `end` of (kind, chunk); bounds only ever tighten.
    void limit(TaskKind kind, int chunk, int end);
    /// Admits nothing of `kind`.
    void forbid(TaskKind kind);
    /// Admits `task` and weight gradients alone.
    void require(const Task& task) { only_ = task; }

    int end(TaskKind kind, int chunk) const;
    const std::optional<Task>& only() const { return only_; }

  private:
    int chunks_;
    int microbatches_;
    std::vector<int> ends_;  // [kind * chunks + chunk]
    std::optional<Task> only_;
};

/// A rule that keeps ready tasks from being dispatched for now. Filters apply before any arbiter.
class Filter {
  public:
    virtual ~Filter() = default;
    virtual void restrict(const RankState& state, Admission& admission) const = 0;
};

/// The view an arbiter chooses from: the ready tasks that every filter admits.
class Candidates {
  public:
    Candidates(const RankState& state, const Admission& admission)
        : state_(state), admission_(admission) {}

    const RankState& state() const { return state_; }
    const Admission& admission() const { return admission_; }
    /// The lowest admissible ready microbatch of (kind, chunk).
    std::optional<int> first(TaskKind kind, int chunk) const;
    /// Whether `task` is ready and admissible; false for what is no task of this rank.
    bool contains(const Task& task) const;
    /// Lower microbatch first, then lower chunk.
    std::optional<Task> first_forward() const;
    /// Higher chunk first, then lower microbatch.
    std::optional<Task> first_backward() const;
    /// Lower microbatch first, then lower chunk.
    std::optional<Task> first_weight_gradient() const;

  private:
    std::optional<Task> lowest_microbatch(TaskKind kind) const;

    const RankState& state_;
    const Admission& admission_;
};

}  // namespace rrfp
