#include "adapters/jobs/launch/job_watch.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "runtime/starpu/failing/stall.h"

namespace rrfp {
namespace {

constexpr const char* remedy = "The job was ended. A longer limit: [watchdog] seconds, 0 for none";

void count_while(bool holds, double& seconds) {
    seconds = holds ? seconds + JobWatch::period_s : 0;
}

std::string name(const JobLook::Rank& rank) {
    return fmt::format("rank {} (pid {})", rank.rank, rank.pid);
}

}  // namespace

void JobWatch::judge(const JobLook& look) {
    if (limit_s_ <= 0 || fault_) return;
    count(look);
    blame(look);
}

void JobWatch::count(const JobLook& look) {
    const auto gone = std::ranges::count_if(look.ranks, &JobLook::Rank::gone);
    const auto all = std::ssize(look.ranks);
    // Those that live have to wait for one that is stopped: that one is to be named.
    const bool stopped = std::ranges::any_of(look.ranks, [](const JobLook::Rank& rank) {  //
        return !rank.gone && rank.stopped;
    });
    count_while(look.mpirun_stopped, mpirun_stopped_s_);
    count_while(gone > 0 && gone < all && !stopped, some_gone_s_);
    count_while(gone > 0 && gone == all && !look.mpirun_stopped, all_gone_s_);
    for (const JobLook::Rank& rank : look.ranks) {
        Times& times = ranks_[rank.rank];
        const bool here = !rank.gone && !rank.stopped;
        count_while(!rank.gone && rank.stopped, times.stopped_s);
        count_while(here && rank.sign.beating && rank.sign.beats == times.beats, times.silent_s);
        count_while(here && !stopped && rank.sign.phase == Phase::leaving, times.leaving_s);
        times.beats = rank.sign.beats;
    }
}

void JobWatch::blame(const JobLook& look) {
    std::string text;
    const auto list = [&](double Times::*seconds, const auto& describe) {
        for (const JobLook::Rank& rank : look.ranks) {
            const double passed_s = ranks_[rank.rank].*seconds;
            if (!rank.gone && passed_s >= limit_s_ + grace_s) text += describe(rank, passed_s);
        }
    };
    list(&Times::stopped_s, [](const JobLook::Rank& rank, double seconds) {
        return fmt::format(
            "\n  {} is stopped, for {:.1f} s now, {} (kill -CONT {} resumes a suspended process)",
            name(rank), seconds, rank.sign.text(), rank.pid);
    });
    list(&Times::silent_s, [](const JobLook::Rank& rank, double seconds) {
        return fmt::format("\n  {} has shown no sign of life for {:.1f} s, {}", name(rank), seconds,
                           rank.sign.text());
    });
    if (text.empty() && some_gone_s_ >= limit_s_ + grace_s) {
        for (const JobLook::Rank& rank : look.ranks) {
            if (!rank.gone)
                text += fmt::format("\n  {} has not ended, {}", name(rank), rank.sign.text());
        }
        fault_ =
            fmt::format("other ranks have ended {:.1f} s ago:{}\n{}", some_gone_s_, text, remedy);
        return;
    }
    if (text.empty()) {
        list(&Times::leaving_s, [](const JobLook::Rank& rank, double seconds) {
            return fmt::format("\n  {} has not ended {:.1f} s after its work", name(rank), seconds);
        });
    }
    if (mpirun_stopped_s_ >= limit_s_) {
        text += fmt::format(
            "\n  mpirun (pid {}) is stopped, for {:.1f} s now (kill -CONT {} resumes a suspended "
            "process)",
            look.mpirun, mpirun_stopped_s_, look.mpirun);
    } else if (all_gone_s_ >= StallDetector::patience * limit_s_) {
        // It may have to wait for who reads what the ranks have printed.
        text += fmt::format("\n  mpirun (pid {}) has not ended, {:.1f} s after its last rank",
                            look.mpirun, all_gone_s_);
    }
    if (!text.empty()) fault_ = fmt::format("the job cannot go on:{}\n{}", text, remedy);
}

}  // namespace rrfp
