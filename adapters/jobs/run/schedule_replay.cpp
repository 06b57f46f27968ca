#include "adapters/jobs/run/schedule_replay.h"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "adapters/collectives/world.h"
#include "adapters/jobs/run/iteration_parcel.h"
#include "adapters/schedules/registry.h"
#include "runtime/core/hint_check.h"
#include "runtime/simulation/replay.h"

namespace rrfp {
namespace {

/// The durations of each iteration, from what all ranks sent to rank 0.
std::vector<Durations> samples_of(const PlanFacts& facts, const std::vector<std::string>& parcels) {
    std::vector<std::vector<RankIteration>> ranks;
    for (const int world_rank : facts.layout.pipeline_group(0)) {
        ranks.push_back(unpack_iterations(parcels.at(static_cast<std::size_t>(world_rank))));
    }
    std::vector<Durations> samples;
    for (std::size_t i = 0; i < ranks.front().size(); ++i) {
        std::vector<RankIteration> iteration;
        for (const auto& rank : ranks) iteration.push_back(rank.at(i));
        samples.push_back(measured_durations(facts.pipeline, iteration));
    }
    return samples;
}

}  // namespace

ScheduleReplay::ScheduleReplay(const Plan& plan) : plan_(plan), judged_(!possible()) {}

bool ScheduleReplay::possible() const {
    return plan_->schedule.arbiter != "fixed" && !plan_->plugin && !is_hint_file(plan_->hint);
}

void ScheduleReplay::add(int iteration, const RankIteration& done) {
    if (judged_ || iteration == 0 || static_cast<int>(measured_.size()) >= wanted) return;
    RankIteration kept;
    kept.tasks = done.tasks;
    kept.arrivals = done.arrivals;
    measured_.push_back(std::move(kept));
}

std::optional<ReplayVerdict> ScheduleReplay::judge() {
    if (std::exchange(judged_, true) || measured_.empty()) return std::nullopt;
    const Pipeline& pipeline = plan_->pipeline;
    fixed_ =
        fixed_within(pipeline, plan_->schedule, make_hint(default_hint(pipeline, ""), pipeline));
    if (!fixed_) return std::nullopt;
    const std::vector<std::string> parcels = gather(pack_iterations(measured_));
    ReplayVerdict verdict;
    if (!parcels.empty()) verdict = compare(samples_of(*plan_, parcels));
    const std::array<double, 2> told{verdict.chosen_ms, verdict.fixed_ms};
    const std::vector<double> of_rank_0 = all_gather(told).front();
    return ReplayVerdict{.chosen_ms = of_rank_0[0],
                         .fixed_ms = of_rank_0[1],
                         .iterations = static_cast<int>(measured_.size())};
}

ReplayVerdict ScheduleReplay::compare(const std::vector<Durations>& samples) const {
    // A rank's plan holds its own list of the hint alone.
    ScheduleOptions chosen = plan_->schedule;
    if (!plan_->hint.empty()) chosen.hint = hint_of(plan_->hint, plan_->pipeline);
    return {.chosen_ms = replayed_ms(plan_->pipeline, chosen, samples),
            .fixed_ms = replayed_ms(plan_->pipeline, *fixed_, samples)};
}

std::optional<ScheduleOptions> fixed_within(const Pipeline& pipeline, const ScheduleOptions& chosen,
                                            const HintOrder& hint) {
    for (std::size_t rank = 0; rank < hint.size(); ++rank) {
        if (peak_in_flight(pipeline, hint[rank]) > chosen.limits.at(rank)) return std::nullopt;
    }
    ScheduleOptions fixed{.arbiter = "fixed",
                          .hint = hint,
                          .limits = chosen.limits,
                          .deterministic = chosen.deterministic};
    try {
        validate(pipeline, fixed);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
    return fixed;
}

}  // namespace rrfp
