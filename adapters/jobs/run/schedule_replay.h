#pragma once

#include <optional>
#include <vector>

#include "adapters/jobs/report/replay_verdict.h"
#include "adapters/plan/plan.h"
#include "runtime/core/metrics.h"
#include "runtime/simulation/durations.h"

namespace rrfp {

/// Measures the first iterations of a run at one rank, and judges with the other ranks whether the
/// fixed schedule of the same shape would have been faster on what was measured.
class ScheduleReplay {
  public:
    /// Iterations that are measured, after the first, which warms up.
    static constexpr int wanted = 3;

    /// `plan` outlives it.
    explicit ScheduleReplay(const Plan& plan);

    /// What this rank did in `iteration`, counted from 0.
    void add(int iteration, const RankIteration& done);
    /// Whether as many as wanted are there, and `judge` was not asked yet.
    bool due() const { return !judged_ && static_cast<int>(measured_.size()) >= wanted; }
    /// The verdict, the same at all ranks, which call it together. Nothing where there is no choice
    /// (fixed runs already, or keeps more than the limits somewhere), where a plugin decides or the
    /// hint is a file, and where nothing was measured. Of the first replica's first tensor index.
    std::optional<ReplayVerdict> judge();

    /// The fixed schedule of a verdict.
    const std::optional<ScheduleOptions>& fixed() const { return fixed_; }

  private:
    bool possible() const;
    ReplayVerdict compare(const std::vector<Durations>& samples) const;

    const Plan& plan_;
    std::vector<RankIteration> measured_;  ///< tasks and arrivals alone
    std::optional<ScheduleOptions> fixed_;
    bool judged_ = false;
};

/// The fixed schedule of the shape of `pipeline`, in the order `hint`, within the limits of
/// `chosen`; nothing where the schedule keeps more in flight at a rank or cannot run.
std::optional<ScheduleOptions> fixed_within(const Pipeline& pipeline, const ScheduleOptions& chosen,
                                            const HintOrder& hint);

}  // namespace rrfp
