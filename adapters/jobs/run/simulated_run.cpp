#include "adapters/jobs/run/simulated_run.h"

#include <stdexcept>

#include "adapters/jobs/report/rank_summary.h"
#include "runtime/simulation/make_dispatchers.h"
#include "runtime/simulation/simulator.h"

namespace rrfp {

Durations draw_durations(const Job& job, int iteration) {
    if (!job.model.forward_ms || !job.model.backward_ms) {
        throw std::invalid_argument(
            "model.forward_ms and model.backward_ms are not given, so a simulation does not know "
            "how long tasks take; add them, or give --durations FILE.csv");
    }
    return Durations::draw(job.pipeline(), job.stage_times(), job.jitter, iteration);
}

RunResult simulate_run(const Job& job, const Plan& plan, const std::optional<Durations>& given) {
    const Pipeline& pipeline = plan->pipeline;
    const auto dispatchers = make_dispatchers(pipeline, loaded_schedule(plan));
    std::vector<RankSummaryBuilder> summaries;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) summaries.emplace_back(rank);

    RunResult result{.job = job};
    for (int iteration = 0; iteration < job.train.iterations; ++iteration) {
        SimulationResult simulated =
            simulate(pipeline, dispatchers, given ? *given : draw_durations(job, iteration));
        result.iterations.push_back({.milliseconds = simulated.makespan_ms, .loss = std::nullopt});
        for (std::size_t rank = 0; rank < summaries.size(); ++rank) {
            summaries[rank].add(std::move(simulated.ranks[rank]));
        }
    }
    for (const RankSummaryBuilder& summary : summaries) result.ranks.push_back(summary.summary());
    return result;
}

}  // namespace rrfp
