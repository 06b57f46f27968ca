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

    const RankState& state() const { return state_; }
    const Arbiter& arbiter() const { return *arbiter_; }
    bool finished() const { return state_.finished(); }

  private:
    const char* why_not(const Task& task) const;

    RankState state_;
    Admission admission_;
    std::unique_ptr<Arbiter> arbiter_;
    std::vector<std::unique_ptr<Filter>> filters_;
};

}  // namespace rrfp
