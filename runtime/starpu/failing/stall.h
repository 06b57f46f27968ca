#pragma once

#include <string>
#include <vector>

#include "runtime/starpu/failing/progress_report.h"

namespace rrfp {

/// A rank of the node as its last beat shows it.
struct RankSnapshot {
    int rank = 0;
    int pid = 0;
    double beat_age_s = 0;
    ProgressReport report;
};

/// Judges from the beats of a node's ranks whether their work stands still. Pure.
class StallDetector {
  public:
    /// A rank without a beat for `stopped_s` is taken as stopped.
    explicit StallDetector(double stopped_s) : stopped_s_(stopped_s) {}

    /// Looks at the ranks, `elapsed_s` after the last look. Time is added up from what passes
    /// between looks, and a gap counts as `stopped_s` at most: where all ranks were suspended
    /// together, nobody stood still.
    void observe(const std::vector<RankSnapshot>& ranks, double elapsed_s);

    /// For how long some rank has been working, or stopped, while none made progress. A change of a
    /// rank's counter is progress, and so is a task that runs on a rank with a living beat, and
    /// work of its own that such a rank does outside an iteration: others may have to wait for it.
    double still_s() const { return still_s_; }
    /// For how long such work outside an iteration has lasted without any other progress. A caller
    /// that has not said what its ranks are at is left alone while none of them is in an iteration.
    double apart_s() const { return apart_s_; }
    /// So many times the limit may last what is done outside an iteration.
    static constexpr double patience = 10;
    /// Whether the job must be ended; `grace_s` is added to the limit.
    bool too_long(double limit_s, double grace_s = 0) const {
        return still_s_ >= limit_s + grace_s || apart_s_ >= patience * limit_s + grace_s;
    }
    bool living(const RankSnapshot& rank) const { return rank.beat_age_s <= stopped_s_; }

  private:
    struct Mark {
        std::uint64_t progress = 0;
        bool working = false;
        Phase phase = Phase::unknown;
        bool operator==(const Mark&) const = default;
    };

    bool advanced(const std::vector<RankSnapshot>& ranks);

    double stopped_s_;
    double still_s_ = 0;
    double apart_s_ = 0;
    std::vector<Mark> marks_;
};

/// What the watchdog prints: for each rank whether it runs, waits or is stopped, what is ready and
/// what it awaits.
std::string stall_message(const std::vector<RankSnapshot>& ranks, const StallDetector& detector,
                          double limit_s, const std::string& key);

}  // namespace rrfp
