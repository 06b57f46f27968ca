#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/core/arbiter.h"

namespace rrfp {

/// One rank's decisions: the ready set, the filters and the arbiter behind three events. Not
/// thread-safe; the owner serialises calls.
class Dispatcher {
  public:
    Dispatcher(const Pipeline& pipeline, int rank, std::unique_ptr<Arbiter> arbiter,
               std::vector<std::unique_ptr<Filter>> filters);

    void begin_iteration();
    /// The inputs of `task` are present.
    void ready(const Task& task);
    /// Decides what the idle worker runs next and commits it; nothing means: wait.
    /// Throws std::logic_error when the arbiter names a task that is not a candidate.
    std::optional<Task> choose();
    /// `task` has run; `milliseconds` from its start to its end.
    void completed(const Task& task, double milliseconds);

    /// The two halves of `choose`, for ranks that must agree in between. What it would choose now;
    /// leaves no trace. Throws as `choose` does.
    std::optional<Task> propose();
    /// What it would choose if `running` had ended.
    std::optional<Task> propose_after(const Task& running);
    /// `task`, which must be ready, runs next, whoever chose it.
    void commit(const Task& task);
    /// The idle worker waits for an event.
    void wait() { state_.mark_waited(); }
    /// Whether `task` is ready and no filter holds it back.
    bool admits(const Task& task);

    const RankState& state() const { return state_; }
    const Arbiter& arbiter() const { return *arbiter_; }
    bool finished() const { return state_.finished(); }

  private:
    void apply_filters();
    const char* why_not(const Task& task) const;

    RankState state_;
    Admission admission_;
    std::unique_ptr<Arbiter> arbiter_;
    std::vector<std::unique_ptr<Filter>> filters_;
};

}  // namespace rrfp
