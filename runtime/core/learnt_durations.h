#pragma once

#include <array>
#include <optional>
#include <vector>

#include "runtime/core/task.h"

namespace rrfp {

/// How long tasks take by (kind, stage), learnt as they end: an exponential moving average, which
/// follows a slow change over some ten tasks and outlives iterations.
class LearntDurations {
  public:
    explicit LearntDurations(int stages);

    void learn(const Task& task, double milliseconds);
    /// What a task of (kind, stage) is expected to take, milliseconds. A stage of which nothing has
    /// run here counts as the mean of those of that kind; a kind of which nothing has run, as the
    /// mean over all; where nothing at all has run every task takes 1.
    double expected_ms(TaskKind kind, int stage) const;

  private:
    /// The mean of `kind` over the stages seen, or nothing.
    std::optional<double> mean(TaskKind kind) const;

    std::array<std::vector<std::optional<double>>, task_kinds> averages_;  // [kind][stage]
    std::array<std::vector<int>, task_kinds> seen_;  // stages that have one, ascending: few of many
};

}  // namespace rrfp
