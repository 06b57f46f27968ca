#include "adapters/jobs/report/report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "adapters/jobs/file/job_json.h"
#include "adapters/jobs/report/machine.h"
#include "runtime/core/version.h"

namespace rrfp {
namespace {

nlohmann::json number_or_null(const std::optional<double>& value) {
    return value && std::isfinite(*value) ? nlohmann::json(*value) : nlohmann::json();
}

nlohmann::json occupancy_json(const Occupancy& occupancy) {
    return {{"high_water", occupancy.high_water()},
            {"bytes_high_water", occupancy.bytes_high_water()}};
}

nlohmann::json buffers_json(const Buffers& buffers) {
    nlohmann::json object;
    for (int kind = 0; kind < buffer_kinds; ++kind) {
        object[name(static_cast<BufferKind>(kind))] = occupancy_json(buffers[kind]);
    }
    return object;
}

nlohmann::json agreement_json(const AgreementCounts& counts) {
    return {{"decisions", counts.decisions},
            {"ahead", counts.ahead},
            {"ahead_ms", counts.ahead_ms},
            {"messages", counts.messages},
            {"retries", counts.retries}};
}

nlohmann::json rank_json(const RankSummary& rank) {
    return {{"rank", rank.rank},
            {"compute_ms", rank.compute_ms},
            {"blocking_ms", rank.blocking_ms},
            {"tp_coordination_ms", rank.tp_coordination_ms},
            {"agreement", agreement_json(rank.agreement)},
            {"in_flight_high_water", rank.in_flight_high_water},
            {"buffers", buffers_json(rank.buffers)},
            {"held_for_weights", occupancy_json(rank.held_for_weights)}};
}

/// The start of the first task of any rank.
double origin_ms(const RunResult& result) {
    double origin = std::numeric_limits<double>::infinity();
    for (const RankSummary& rank : result.ranks) {
        for (const TaskRecord& record : rank.last_iteration) {
            origin = std::min(origin, record.start_ms);
        }
    }
    return origin;
}

nlohmann::json actions_json(const RankSummary& rank, bool split_weight) {
    nlohmann::json actions = nlohmann::json::array();
    for (const TaskRecord& record : rank.last_iteration) {
        actions.push_back(to_action(record.task, split_weight));
    }
    return actions;
}

/// Rows of action, start and end; milliseconds after `origin`.
nlohmann::json timeline_json(const RankSummary& rank, bool split_weight, double origin) {
    nlohmann::json tasks = nlohmann::json::array();
    for (const TaskRecord& record : rank.last_iteration) {
        tasks.push_back({to_action(record.task, split_weight), record.start_ms - origin,
                         record.end_ms - origin});
    }
    return tasks;
}

nlohmann::json summary_json(const RunResult& result) {
    const auto& iterations = result.iterations;
    const auto& hash = result.parameters_sha256;
    const auto measured = [&](double value) {  // a resumed run may have had nothing left to do
        return iterations.empty() ? nlohmann::json() : nlohmann::json(value);
    };
    return {
        {"median_ms", measured(result.median_ms())},
        {"samples_per_second", measured(result.samples_per_second())},
        {"loss", iterations.empty() ? nlohmann::json() : number_or_null(iterations.back().loss)},
        {"parameters_sha256", hash.empty() ? nlohmann::json() : nlohmann::json(hash)}};
}

nlohmann::json replay_json(const std::optional<ReplayVerdict>& replay) {
    if (!replay) return nullptr;
    return {{"chosen_ms", replay->chosen_ms},
            {"fixed_ms", replay->fixed_ms},
            {"iterations", replay->iterations},
            {"switched", replay->switched}};
}

}  // namespace

double RunResult::median_ms() const {
    if (iterations.empty()) return 0;
    std::vector<double> times;
    const std::size_t first = iterations.size() > 1 ? 1 : 0;
    for (std::size_t i = first; i < iterations.size(); ++i) {
        times.push_back(iterations[i].milliseconds);
    }
    std::sort(times.begin(), times.end());
    const std::size_t middle = times.size() / 2;
    return times.size() % 2 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
}

double RunResult::samples_per_second() const {
    const double median = median_ms();
    const double samples =
        static_cast<double>(job.train.microbatches) * job.train.microbatch_size * job.parallel.data;
    return median > 0 ? samples / (median / 1000) : 0;
}

nlohmann::json to_json(const RunResult& result) {
    const bool split = result.job.schedule.split_weight;
    const double origin = origin_ms(result);
    nlohmann::json iterations = nlohmann::json::array();
    for (const IterationResult& iteration : result.iterations) {
        iterations.push_back({{"milliseconds", iteration.milliseconds},
                              {"loss", number_or_null(iteration.loss)},
                              {"gradient_norm", number_or_null(iteration.gradient_norm)}});
    }
    nlohmann::json ranks = nlohmann::json::array();
    nlohmann::json order = nlohmann::json::array();
    nlohmann::json timeline = nlohmann::json::array();
    for (const RankSummary& rank : result.ranks) {
        ranks.push_back(rank_json(rank));
        order.push_back(actions_json(rank, split));
        timeline.push_back(timeline_json(rank, split, origin));
    }
    nlohmann::json evaluations = nlohmann::json::array();
    for (const auto& loss : result.evaluations) evaluations.push_back(number_or_null(loss));
    return {{"job", to_json(result.job)},
            {"machine", to_json(this_machine())},
            {"version", version},
            {"iterations", iterations},
            {"evaluations", evaluations},
            {"summary", summary_json(result)},
            {"replay", replay_json(result.replay)},
            {"ranks", ranks},
            {"order", order},
            {"timeline", timeline}};
}

}  // namespace rrfp
