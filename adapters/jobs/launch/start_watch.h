#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapters/jobs/launch/rank_processes.h"

namespace rrfp {

/// Looks from outside at ranks that start: until MPI is up they share no memory, and nobody among
/// them could tell that one has stopped. Ends its watch when the ranks' own watchdogs beat.
///
/// Time is counted in looks, so that time in which the whole job was suspended does not count.
class StartWatch {
  public:
    /// Seconds between two looks.
    static constexpr double period_s = 0.25;
    /// A start without stopped ranks may take this long, or the limit where that is longer.
    static constexpr double shortest_limit_s = 30;

    /// A rank may be stopped for `limit_s`; 0 is no limit, and nothing is watched.
    explicit StartWatch(double limit_s) : limit_s_(limit_s) {}

    bool watching() const { return limit_s_ > 0 && !up_ && !fault_; }
    /// Looks at the ranks of the node that exist.
    void judge(const std::vector<RankProcess>& ranks);
    /// Why the job must be ended, with the remedy.
    const std::optional<std::string>& fault() const { return fault_; }

  private:
    double limit_s_;
    double passed_s_ = 0;
    double stopped_s_ = 0;
    bool up_ = false;
    std::optional<std::string> fault_;
};

}  // namespace rrfp
