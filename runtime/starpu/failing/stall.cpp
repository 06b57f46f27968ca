#include "runtime/starpu/failing/stall.h"

#include <algorithm>

#include <fmt/format.h>

namespace rrfp {
namespace {

std::string state_of(const RankSnapshot& rank, const StallDetector& detector) {
    if (!detector.living(rank)) {
        return fmt::format(
            "stopped: no beat for {:.1f} s (look at ps -o stat,wchan {}; "
            "kill -CONT {} resumes a suspended process)",
            rank.beat_age_s, rank.pid, rank.pid);
    }
    if (rank.report.busy) return "running a task";
    return rank.report.working ? "waiting" : "idle, outside an iteration";
}

std::string describe(const RankSnapshot& rank, const StallDetector& detector) {
    std::string text = fmt::format("\n  rank {} (pid {}): {}\n    ready: {}", rank.rank, rank.pid,
                                   state_of(rank, detector),
                                   rank.report.ready.empty() ? "nothing" : rank.report.ready);
    for (const std::string& message : rank.report.awaited) {
        text += "\n    awaits " + message;
    }
    return text;
}

}  // namespace

bool StallDetector::advanced(const std::vector<RankSnapshot>& ranks) {
    std::vector<Mark> marks;
    for (const RankSnapshot& rank : ranks) {
        marks.push_back({rank.report.progress, rank.report.working});
    }
    const bool changed = marks != marks_;
    marks_ = std::move(marks);
    return changed;
}

void StallDetector::observe(const std::vector<RankSnapshot>& ranks, double elapsed_s) {
    const bool changed = advanced(ranks);
    const bool running = std::any_of(ranks.begin(), ranks.end(), [this](const RankSnapshot& rank) {
        return living(rank) && rank.report.busy;
    });
    // Whatever a stopped rank was at (start-up, an optimizer step), the others will wait for it.
    const bool working = std::any_of(ranks.begin(), ranks.end(), [this](const RankSnapshot& rank) {
        return rank.report.working || !living(rank);
    });
    if (changed || running || !working) {
        still_s_ = 0;
    } else {
        still_s_ += std::min(elapsed_s, stopped_s_);
    }
}

std::string stall_message(const std::vector<RankSnapshot>& ranks, const StallDetector& detector,
                          double limit_s) {
    std::string text =
        fmt::format("rrfp: no rank has made progress for {:.1f} s (the limit is {} s). Each rank:",
                    detector.still_s(), limit_s);
    for (const RankSnapshot& rank : ranks) text += describe(rank, detector);
    return text + "\nrrfp: ending the job. A longer limit: [watchdog] seconds, 0 for none.";
}

}  // namespace rrfp
