#include "adapters/jobs/report/rank_summary.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace rrfp {
namespace {

nlohmann::json to_array(const TaskRecord& record) {
    return {static_cast<int>(record.task.kind), record.task.stage, record.task.microbatch,
            record.start_ms, record.end_ms};
}

Occupancy to_occupancy(const nlohmann::json& array) {
    return Occupancy::of_high_water(array.at(0).get<std::int64_t>(),
                                    array.at(1).get<std::int64_t>());
}

TaskRecord to_record(const nlohmann::json& array) {
    return {.task = {.kind = static_cast<TaskKind>(array.at(0).get<int>()),
                     .stage = array.at(1).get<int>(),
                     .microbatch = array.at(2).get<int>()},
            .start_ms = array.at(3).get<double>(),
            .end_ms = array.at(4).get<double>()};
}

/// The most backwards that had ended at once while their weight gradients had not, in an iteration
/// that has weight gradients.
std::int64_t weight_gradients_due(std::vector<TaskRecord> tasks) {
    std::ranges::sort(tasks, {}, &TaskRecord::end_ms);
    std::int64_t due = 0;
    std::int64_t most = 0;
    bool split = false;
    for (const TaskRecord& record : tasks) {
        if (record.task.kind == TaskKind::backward) most = std::max(most, ++due);
        if (record.task.kind == TaskKind::weight_gradient) --due;
        split |= record.task.kind == TaskKind::weight_gradient;
    }
    return split ? most : 0;
}

}  // namespace

void RankSummaryBuilder::add(RankIteration iteration, std::int64_t weight_bytes) {
    // The first iteration warms caches and pools up: it counts only when it is the only one.
    if (added_ == 1) {
        summary_ = RankSummary{.rank = summary_.rank};
    }
    ++added_;
    summary_.compute_ms += iteration.compute_ms;
    summary_.blocking_ms += iteration.blocking_ms;
    summary_.tp_coordination_ms += iteration.tp_coordination_ms;
    summary_.agreement.decisions += iteration.agreement.decisions;
    summary_.agreement.ahead += iteration.agreement.ahead;
    summary_.agreement.ahead_ms += iteration.agreement.ahead_ms;
    summary_.agreement.messages += iteration.agreement.messages;
    summary_.agreement.retries += iteration.agreement.retries;
    summary_.in_flight_high_water =
        std::max(summary_.in_flight_high_water, iteration.in_flight_high_water);
    for (int kind = 0; kind < buffer_kinds; ++kind) {
        summary_.buffers[kind].merge_high_water(iteration.buffers[kind]);
    }
    summary_.held_for_weights.merge_high_water(
        Occupancy::of_high_water(weight_gradients_due(iteration.tasks), weight_bytes));
    summary_.last_iteration = std::move(iteration.tasks);
}

RankSummary RankSummaryBuilder::summary() const {
    RankSummary mean = summary_;
    const double measured = std::max(1, added_ - 1);
    mean.compute_ms /= measured;
    mean.blocking_ms /= measured;
    mean.tp_coordination_ms /= measured;
    return mean;
}

std::string serialise(const RankSummary& summary) {
    nlohmann::json json;
    json["rank"] = summary.rank;
    json["times"] = {summary.compute_ms, summary.blocking_ms, summary.tp_coordination_ms};
    const AgreementCounts& agreement = summary.agreement;
    json["agreement"] = {agreement.decisions, agreement.ahead, agreement.ahead_ms,
                         agreement.messages, agreement.retries};
    json["in_flight"] = summary.in_flight_high_water;
    for (const Occupancy& buffer : summary.buffers) {
        json["buffers"].push_back({buffer.high_water(), buffer.bytes_high_water()});
    }
    json["held_for_weights"] = {summary.held_for_weights.high_water(),
                                summary.held_for_weights.bytes_high_water()};
    json["tasks"] = nlohmann::json::array();
    for (const TaskRecord& record : summary.last_iteration) {
        json["tasks"].push_back(to_array(record));
    }
    const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(json);
    return {bytes.begin(), bytes.end()};
}

RankSummary deserialise(const std::string& bytes) {
    const nlohmann::json json = nlohmann::json::from_cbor(bytes);
    RankSummary summary;
    summary.rank = json.at("rank").get<int>();
    summary.compute_ms = json.at("times").at(0).get<double>();
    summary.blocking_ms = json.at("times").at(1).get<double>();
    summary.tp_coordination_ms = json.at("times").at(2).get<double>();
    const nlohmann::json& agreement = json.at("agreement");
    summary.agreement = {.decisions = agreement.at(0).get<std::int64_t>(),
                         .ahead = agreement.at(1).get<std::int64_t>(),
                         .ahead_ms = agreement.at(2).get<double>(),
                         .messages = agreement.at(3).get<std::int64_t>(),
                         .retries = agreement.at(4).get<std::int64_t>()};
    summary.in_flight_high_water = json.at("in_flight").get<int>();
    for (int kind = 0; kind < buffer_kinds; ++kind) {
        summary.buffers[kind] = to_occupancy(json.at("buffers").at(kind));
    }
    summary.held_for_weights = to_occupancy(json.at("held_for_weights"));
    for (const nlohmann::json& array : json.at("tasks")) {
        summary.last_iteration.push_back(to_record(array));
    }
    return summary;
}

}  // namespace rrfp
