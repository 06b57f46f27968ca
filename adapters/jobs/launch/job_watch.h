#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "runtime/starpu/failing/life_sign.h"

namespace rrfp {

/// A job as its launcher sees it at one moment.
struct JobLook {
    struct Rank {
        int rank = 0;
        pid_t pid = 0;
        bool gone = false;
        bool stopped = false;  ///< suspended, as by SIGSTOP
        LifeReading sign;
    };
    pid_t mpirun = 0;
    bool mpirun_stopped = false;
    std::vector<Rank> ranks;  ///< those of this node that have shown themselves
};

/// Watches a started job from outside, for what no rank can notice: where all of them are stopped,
/// after their watchdogs have ended, where a watchdog itself hangs, and mpirun. Ranks that can tell
/// do so first: this watch has a longer limit.
///
/// Time is counted in looks, so that time in which the whole job was suspended does not count.
class JobWatch {
  public:
    /// Seconds between two looks.
    static constexpr double period_s = 0.25;
    /// What ranks have more time for than `limit_s`, to tell a fault themselves.
    static constexpr double grace_s = 3;

    /// `limit_s` of 0 is no limit, and nothing is watched.
    explicit JobWatch(double limit_s) : limit_s_(limit_s) {}

    void judge(const JobLook& look);
    /// Why the job must be ended, with the remedy.
    const std::optional<std::string>& fault() const { return fault_; }

  private:
    struct Times {
        double stopped_s = 0;
        double silent_s = 0;
        double leaving_s = 0;
        std::uint64_t beats = 0;
    };

    void count(const JobLook& look);
    void blame(const JobLook& look);

    double limit_s_;
    double mpirun_stopped_s_ = 0;
    double some_gone_s_ = 0;
    double all_gone_s_ = 0;
    std::map<int, Times> ranks_;
    std::optional<std::string> fault_;
};

}  // namespace rrfp
