#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/core/pipeline.h"

namespace rrfp {

/// The lists of a hint order followed entry by entry, each entry as soon as its rank is free and
/// what it reads is done: how far they get, what stops them, and when each entry runs. Only the
/// number of stages and the split of `pipeline` count; a list may hold any task.
class InOrderRun {
  public:
    using Duration = std::function<double(const Task&)>;

    /// `duration` in any unit; messages take no time. All references must outlive the run.
    InOrderRun(
        const Pipeline& pipeline, const HintOrder& lists,
        Duration duration = [](const Task&) { return 1.0; });

    /// Goes on until every list has ended or awaits something.
    void advance();
    /// Behaves from here on as if `task` were done, whether it is or not.
    void waive(const Task& task) { done_.try_emplace(task, 0); }

    bool finished() const;
    /// How many entries of `rank` have run.
    std::size_t position(int rank) const { return starts_[rank].size(); }
    /// What the next entry of `rank` reads first of what is not done; nothing when it can run or
    /// the list has ended.
    std::optional<Task> awaited(int rank) const;
    /// When each entry that has run did, [rank][entry].
    const std::vector<std::vector<double>>& starts() const { return starts_; }
    double duration(const Task& task) const { return duration_(task); }

  private:
    void run_next(int rank);

    const Pipeline& pipeline_;
    const HintOrder& lists_;
    Duration duration_;
    std::unordered_map<Task, double> done_;  // when it ended
    std::vector<double> free_at_;            // [rank]
    std::vector<std::vector<double>> starts_;
};

}  // namespace rrfp
