#include "adapters/jobs/job/kept_bytes.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace rrfp {
namespace {

constexpr std::int64_t float_bytes = 4;

/// The number at the front of `text`, which is then cut off; nothing where none stands there.
std::optional<std::int64_t> take_number(std::string_view& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 1) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

/// The k of `kP-s`; `P-s` is 1.
std::optional<std::int64_t> pipeline_factor(std::string_view rule) {
    const std::int64_t factor = take_number(rule).value_or(1);
    constexpr std::int64_t most = 1'000'000;
    return rule == "P-s" && factor <= most ? std::optional(factor) : std::nullopt;
}

std::optional<std::int64_t> byte_count(std::string_view rule) {
    static const std::map<std::string_view, std::int64_t> units = {
        {"B", 1},         {"KB", 1'000},    {"MB", 1'000'000}, {"GB", 1'000'000'000},
        {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
    const auto number = take_number(rule);
    while (rule.starts_with(' ')) rule.remove_prefix(1);
    const auto unit = units.find(rule);
    constexpr std::int64_t most = 1'000'000'000;
    if (!number || *number > most || unit == units.end()) return std::nullopt;
    return *number * unit->second;
}

std::vector<int> limits_in_bytes(const Job& job, const std::string& rule, std::int64_t bytes) {
    std::vector<int> limits;
    for (int rank = 0; rank < job.parallel.pipeline; ++rank) {
        const std::int64_t each = bytes_in_flight(job, rank);
        if (bytes < each) {
            throw std::invalid_argument(
                fmt::format("{} do not hold one microbatch of pipeline rank {}, which keeps about "
                            "{} bytes; give {} B or more, or lower train.microbatch_size",
                            rule, rank, each, each));
        }
        limits.push_back(static_cast<int>(std::min<std::int64_t>(
            bytes / each, std::int64_t{job.train.microbatches} * job.parallel.chunks)));
    }
    return limits;
}

std::vector<int> limits_of_rule(const Job& job, const std::string& rule) {
    const int ranks = job.parallel.pipeline;
    if (const auto factor = pipeline_factor(rule)) {
        std::vector<int> limits;
        for (int rank = 0; rank < ranks; ++rank) {
            limits.push_back(static_cast<int>(*factor * ranks - rank));
        }
        return limits;
    }
    if (const auto bytes = byte_count(rule)) return limits_in_bytes(job, rule, *bytes);
    throw std::invalid_argument(
        "is no limit; give a number, a list with one a pipeline rank, \"P-s\" or \"2P-s\" (P "
        "pipeline ranks, s the rank), or bytes as \"512MiB\"");
}

/// What autograd saves of one layer, float32 values a token and hidden unit.
double saved_values(const Job& job) {
    const double parts = job.parallel.tensor;
    const double normalised = job.parallel.sequence_parallel ? 2 / parts : 2;
    const double dropped = job.model.dropout > 0 ? 2 : 0;
    return normalised + 2 + 12 / parts + dropped;
}

/// What of one layer its weight gradients need, likewise: more than the whole backward, since
/// gradients are among it.
double values_for_weights(const Job& job) {
    const double parts = job.parallel.tensor;
    const double normalised = job.parallel.sequence_parallel ? 4 / parts : 4;
    return normalised + 4 + 12 / parts;
}

std::int64_t gpt_stage_bytes(const Job& job, int stage, int layers, int stages) {
    const auto tokens = std::int64_t{job.train.microbatch_size} * job.model.sequence;
    const std::int64_t message = tokens * job.model.hidden * float_bytes;
    const bool split = job.schedule.split_weight;
    if (job.model.recompute && !split) return 2 * message;
    // The first stage leaves its whole backward to the weight gradient.
    const double values = split && stage > 0 ? values_for_weights(job) : saved_values(job);
    const auto saved = static_cast<std::int64_t>(values * layers * static_cast<double>(message));
    if (stage < stages - 1) return message + saved;
    const std::int64_t head = (split ? 3 : 2) * message;  // and the normalisation before it
    return message + saved + head + tokens * text_vocabulary * float_bytes / job.parallel.tensor;
}

}  // namespace

std::vector<int> limits_of(const Job& job) {
    if (const auto* rule = std::get_if<std::string>(&job.schedule.limit)) {
        return limits_of_rule(job, *rule);
    }
    const auto& numbers = std::get<std::vector<int>>(job.schedule.limit);
    const auto ranks = static_cast<std::size_t>(job.parallel.pipeline);
    if (numbers.size() == 1) return std::vector<int>(ranks, numbers.front());
    if (numbers.size() == ranks) return numbers;
    throw std::invalid_argument(
        fmt::format("has {} entries for {} pipeline ranks; give a number, or one a rank",
                    numbers.size(), ranks));
}

std::int64_t bytes_in_flight(const Job& job, int rank) {
    if (job.synthetic()) return 2 * job.model.message_bytes;
    const Placement placement = job.placement();
    const std::vector<int> layers = job.layers_of_stages();
    std::int64_t most = 0;
    for (const int stage : placement.stages_of(rank)) {
        most = std::max(most, gpt_stage_bytes(job, stage, layers[stage], placement.stages()));
    }
    return most;
}

}  // namespace rrfp
