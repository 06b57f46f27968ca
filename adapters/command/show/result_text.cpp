#include "adapters/command/show/result_text.h"

#include <algorithm>
#include <limits>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/command/show/table.h"

namespace rrfp {
namespace {

std::string loss_text(const RunResult& result) {
    const auto& iterations = result.iterations;
    if (iterations.empty() || !iterations.back().loss) return "-";
    return fmt::format("{:.6f}", *iterations.back().loss);
}

double mean_over_ranks(const RunResult& result, double RankSummary::*figure) {
    double sum = 0;
    for (const RankSummary& rank : result.ranks) sum += rank.*figure;
    return result.ranks.empty() ? 0 : sum / static_cast<double>(result.ranks.size());
}

int peak_in_flight(const RunResult& result) {
    int peak = 0;
    for (const RankSummary& rank : result.ranks) peak = std::max(peak, rank.in_flight_high_water);
    return peak;
}

bool same_losses(const RunResult& a, const RunResult& b) {
    return std::equal(a.iterations.begin(), a.iterations.end(), b.iterations.begin(),
                      b.iterations.end(),
                      [](const auto& x, const auto& y) { return x.loss == y.loss; });
}

std::string equality_text(const RunResult& run, bool equal) {
    if (run.parameters_sha256.empty()) return "-";
    return equal ? "equal" : "differ";
}

/// `arbiter tide, admission window, limit 32`
std::string schedule_line(const ScheduleSection& schedule) {
    const auto* numbers = std::get_if<std::vector<int>>(&schedule.limit);
    const std::string limits = numbers ? fmt::format("{}", fmt::join(*numbers, " "))
                                       : std::get<std::string>(schedule.limit);
    return fmt::format("arbiter {}, admission {}, limit {}\n", schedule.arbiter, schedule.admission,
                       limits);
}

/// The limit at pipeline rank `rank`.
int limit_at(const ScheduleSection& schedule, int rank) {
    const auto* numbers = std::get_if<std::vector<int>>(&schedule.limit);
    if (!numbers || numbers->empty()) return std::numeric_limits<int>::max();
    return numbers->size() == 1 ? numbers->front() : numbers->at(static_cast<std::size_t>(rank));
}

/// The rule `drain` is slow with chunks once a limit binds.
std::string drain_warning(const RunResult& result) {
    const Job& job = result.job;
    if (job.schedule.admission != "drain" || job.schedule.arbiter == "fixed" ||
        job.parallel.chunks < 2) {
        return "";
    }
    for (const RankSummary& rank : result.ranks) {
        const int limit = limit_at(job.schedule, job.layout().place(rank.rank).pipeline);
        if (rank.in_flight_high_water < limit) continue;
        return fmt::format(
            "rank {} reached its limit of {}, where admission = \"drain\" goes through "
            "chunks one microbatch after the other; \"auto\" and \"graded\" do not\n",
            rank.rank, limit);
    }
    return "";
}

std::string replay_text(const RunResult& result) {
    if (!result.replay) return "";
    const ReplayVerdict& replay = *result.replay;
    constexpr double worth_telling = 0.02;
    const std::string figures = fmt::format(
        "replayed, {} of its iterations take {:.1f} ms under {} and {:.1f} in fixed order",
        replay.iterations, replay.chosen_ms, result.job.schedule.arbiter, replay.fixed_ms);
    if (replay.switched) return figures + ": went on in fixed order (schedule.guard)\n";
    if (replay.gain_of_fixed() <= worth_telling) return "";
    return figures + "; set schedule.arbiter = \"fixed\", or schedule.guard = true\n";
}

}  // namespace

double speedup(const RunResult& first, const RunResult& run) {
    return run.median_ms() > 0 ? first.median_ms() / run.median_ms() : 0;
}

std::string run_text(const RunResult& result) {
    Table table({"rank", "compute ms", "blocking ms", "peak in flight"});
    for (const RankSummary& rank : result.ranks) {
        table.add({std::to_string(rank.rank), fmt::format("{:.1f}", rank.compute_ms),
                   fmt::format("{:.1f}", rank.blocking_ms),
                   std::to_string(rank.in_flight_high_water)});
    }
    std::string text = schedule_line(result.job.schedule) + table.text();
    text += result.iterations.empty()
                ? "no iteration was left to do"
                : fmt::format("median iteration {:.1f} ms, {:.1f} samples/s", result.median_ms(),
                              result.samples_per_second());
    if (!result.parameters_sha256.empty()) {
        text += fmt::format(", final loss {}\nparameters {}", loss_text(result),
                            result.parameters_sha256);
    }
    return text + "\n" + drain_warning(result) + replay_text(result);
}

std::string comparison_text(const std::vector<RunResult>& runs) {
    Table table({"arbiter", "iteration ms", "speed-up", "compute ms", "blocking ms",
                 "peak in flight", "final loss", "losses", "parameters"});
    for (const RunResult& run : runs) {
        const RunResult& first = runs.front();
        table.add({run.job.schedule.arbiter, fmt::format("{:.1f}", run.median_ms()),
                   fmt::format("{:.3f}", speedup(first, run)),
                   fmt::format("{:.1f}", mean_over_ranks(run, &RankSummary::compute_ms)),
                   fmt::format("{:.1f}", mean_over_ranks(run, &RankSummary::blocking_ms)),
                   std::to_string(peak_in_flight(run)), loss_text(run),
                   equality_text(run, same_losses(first, run)),
                   equality_text(run, first.parameters_sha256 == run.parameters_sha256)});
    }
    if (runs.front().parameters_sha256.empty()) return table.text();
    return table.text() + fmt::format("losses and parameters: bit-equal to those of {} or not\n",
                                      runs.front().job.schedule.arbiter);
}

}  // namespace rrfp
