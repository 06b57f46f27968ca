#include "adapters/jobs/report/report_reader.h"

#include <stdexcept>

#include "adapters/schedules/action.h"

namespace rrfp {
namespace {

std::optional<double> number(const nlohmann::json& value) {
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

Occupancy read_occupancy(const nlohmann::json& object) {
    return Occupancy::of_high_water(object.at("high_water").get<std::int64_t>(),
                                    object.at("bytes_high_water").get<std::int64_t>());
}

Buffers read_buffers(const nlohmann::json& object) {
    Buffers buffers;
    for (int kind = 0; kind < buffer_kinds; ++kind) {
        buffers[kind] = read_occupancy(object.at(name(static_cast<BufferKind>(kind))));
    }
    return buffers;
}

AgreementCounts read_agreement(const nlohmann::json& object) {
    return {.decisions = object.at("decisions").get<std::int64_t>(),
            .ahead = object.at("ahead").get<std::int64_t>(),
            .ahead_ms = object.at("ahead_ms").get<double>(),
            .messages = object.at("messages").get<std::int64_t>(),
            .retries = object.at("retries").get<std::int64_t>()};
}

RankSummary read_rank(const nlohmann::json& rank, const nlohmann::json& timeline) {
    RankSummary summary{.rank = rank.at("rank").get<int>(),
                        .compute_ms = rank.at("compute_ms").get<double>(),
                        .blocking_ms = rank.at("blocking_ms").get<double>(),
                        .tp_coordination_ms = rank.at("tp_coordination_ms").get<double>(),
                        .agreement = read_agreement(rank.at("agreement")),
                        .in_flight_high_water = rank.at("in_flight_high_water").get<int>(),
                        .buffers = read_buffers(rank.at("buffers")),
                        .held_for_weights = read_occupancy(rank.at("held_for_weights"))};
    for (const auto& entry : timeline) {
        summary.last_iteration.push_back({.task = parse_cell(entry.at(0).get<std::string>()).task,
                                          .start_ms = entry.at(1).get<double>(),
                                          .end_ms = entry.at(2).get<double>()});
    }
    return summary;
}

}  // namespace

RunResult read_report(const nlohmann::json& report, const Job& job) try {
    RunResult result{.job = job};
    for (const auto& iteration : report.at("iterations")) {
        result.iterations.push_back({.milliseconds = iteration.at("milliseconds").get<double>(),
                                     .loss = number(iteration.at("loss")),
                                     .gradient_norm = number(iteration.at("gradient_norm"))});
    }
    for (const auto& loss : report.at("evaluations")) result.evaluations.push_back(number(loss));
    const auto& ranks = report.at("ranks");
    const auto& timelines = report.at("timeline");
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        result.ranks.push_back(read_rank(ranks.at(rank), timelines.at(rank)));
    }
    const auto& hash = report.at("summary").at("parameters_sha256");
    if (!hash.is_null()) result.parameters_sha256 = hash.get<std::string>();
    return result;
} catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("the report is not one: ") + error.what());
}

}  // namespace rrfp
