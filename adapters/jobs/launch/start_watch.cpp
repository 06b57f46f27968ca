#include "adapters/jobs/launch/start_watch.h"

#include <algorithm>

#include <fmt/format.h>

namespace rrfp {
namespace {

constexpr const char* remedy = "A longer limit: [watchdog] seconds, 0 for none";

std::string stopped_text(const std::vector<RankProcess>& ranks, double stopped_s) {
    std::string text = "the ranks cannot start:";
    for (const RankProcess& rank : ranks) {
        if (!rank.stopped) continue;
        text += fmt::format(
            "\n  rank {} (pid {}) is stopped, for {:.1f} s now (kill -CONT {} resumes a suspended "
            "process)",
            rank.rank, rank.pid, stopped_s, rank.pid);
    }
    return fmt::format("{}\nThe job was ended. {}", text, remedy);
}

std::string late_text(const std::vector<RankProcess>& ranks, double passed_s) {
    return fmt::format(
        "the ranks have not come up within {:.0f} s; {} of them exist on this node, none is "
        "stopped, and none is through with MPI_Init. The job was ended. Look whether mpirun -n 2 "
        "hostname works here. {}",
        passed_s, ranks.size(), remedy);
}

}  // namespace

void StartWatch::judge(const std::vector<RankProcess>& ranks) {
    up_ = std::ranges::any_of(ranks, &RankProcess::watchdog);
    if (up_) return;
    const bool stopped = std::ranges::any_of(ranks, &RankProcess::stopped);
    passed_s_ += period_s;
    stopped_s_ = stopped ? stopped_s_ + period_s : 0;
    if (stopped_s_ >= limit_s_) {
        fault_ = stopped_text(ranks, stopped_s_);
    } else if (!stopped && passed_s_ >= std::max(limit_s_, shortest_limit_s)) {
        fault_ = late_text(ranks, passed_s_);
    }
}

}  // namespace rrfp
