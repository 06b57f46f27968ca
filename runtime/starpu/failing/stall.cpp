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
    if (rank.report.working) return "waiting";
    if (rank.report.phase == Phase::unknown) return "idle, outside an iteration";
    return std::string(is_work(rank.report.phase) ? "at work " : "waiting ") +
           text_of(rank.report.phase, rank.report.iteration);
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
        marks.push_back({rank.report.progress, rank.report.working, rank.report.phase});
    }
    const bool changed = marks != marks_;
    marks_ = std::move(marks);
    return changed;
}

void StallDetector::observe(const std::vector<RankSnapshot>& ranks, double elapsed_s) {
    const auto any = [&ranks](const auto& holds) { return std::ranges::any_of(ranks, holds); };
    const bool changed = advanced(ranks);
    const bool running = any([this](const auto& rank) { return living(rank) && rank.report.busy; });
    const bool working = any([](const auto& rank) { return rank.report.working; });
    const bool stopped = any([this](const auto& rank) { return !living(rank); });
    const bool apart = any([](const auto& rank) {  //
        return !rank.report.working && is_work(rank.report.phase);
    });
    const bool told = any([](const auto& rank) { return rank.report.phase != Phase::unknown; });
    const double passed_s = std::min(elapsed_s, stopped_s_);
    const bool moves = changed || running;
    // Whatever a stopped rank was at (start-up, an optimizer step), the others will wait for it.
    still_s_ = !moves && (stopped || (working && !apart)) ? still_s_ + passed_s : 0;
    apart_s_ = !moves && (stopped || working || told) ? apart_s_ + passed_s : 0;
}

std::string stall_message(const std::vector<RankSnapshot>& ranks, const StallDetector& detector,
                          double limit_s, const std::string& key) {
    std::string text =
        fmt::format("rrfp: no rank has made progress for {:.1f} s (the limit is {} s). Each rank:",
                    std::max(detector.still_s(), detector.apart_s()),
                    detector.still_s() >= limit_s ? limit_s : StallDetector::patience * limit_s);
    for (const RankSnapshot& rank : ranks) text += describe(rank, detector);
    return text + fmt::format("\nrrfp: ending the job. A longer limit: {}, 0 for none.", key);
}

}  // namespace rrfp
