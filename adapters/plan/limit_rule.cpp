#include "adapters/plan/limit_rule.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

namespace rrfp {
namespace {

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
    constexpr std::int64_t most = 1'000'000'000;  // times any unit it fits 64 bits
    if (!number || *number > most || unit == units.end()) return std::nullopt;
    return *number * unit->second;
}

std::vector<int> limits_in_bytes(std::string_view word, std::int64_t bytes,
                                 const LimitScope& scope) {
    if (!scope.kept_bytes) {
        throw std::invalid_argument(
            "is in bytes, and nobody knows what a microbatch keeps; give microbatches");
    }
    std::vector<int> limits;
    for (int rank = 0; rank < scope.ranks; ++rank) {
        const std::int64_t each = scope.kept_bytes(rank);
        const int limit = limit_in_bytes(bytes, each, scope.most);
        if (limit < 1) {
            throw std::invalid_argument(
                fmt::format("{} do not hold one microbatch of pipeline rank {}, which keeps about "
                            "{} bytes; give {} B or more, or lower train.microbatch_size",
                            word, rank, each, each));
        }
        limits.push_back(limit);
    }
    return limits;
}

}  // namespace

LimitRule limit_rule(std::string_view word) {
    LimitRule rule{.factor = pipeline_factor(word)};
    if (!rule.factor) rule.bytes = byte_count(word);
    if (rule.factor || rule.bytes) return rule;
    throw std::invalid_argument(
        "is no limit; give a number, a list with one a pipeline rank, \"P-s\" or \"2P-s\" (P "
        "pipeline ranks, s the rank), or bytes as \"512MiB\"");
}

std::vector<int> falling_limits(std::int64_t factor, int ranks) {
    if (factor > most_limit / ranks) {
        throw std::invalid_argument(
            fmt::format("is {} x {} pipeline ranks, more than {}; give a smaller factor", factor,
                        ranks, most_limit));
    }
    std::vector<int> limits;
    for (int rank = 0; rank < ranks; ++rank) {
        limits.push_back(static_cast<int>(factor * ranks - rank));
    }
    return limits;
}

int limit_in_bytes(std::int64_t bytes, std::int64_t each, std::int64_t most) {
    const std::int64_t fitting = bytes / std::max<std::int64_t>(each, 1);
    return static_cast<int>(std::min({fitting, most, std::int64_t{most_limit}}));
}

std::vector<int> limits_of(const WordOrNumbers& limit, const LimitScope& scope) {
    if (const auto* word = std::get_if<std::string>(&limit)) {
        const LimitRule rule = limit_rule(*word);
        return rule.factor ? falling_limits(*rule.factor, scope.ranks)
                           : limits_in_bytes(*word, *rule.bytes, scope);
    }
    const auto& numbers = std::get<std::vector<int>>(limit);
    const auto ranks = static_cast<std::size_t>(scope.ranks);
    if (numbers.size() == 1) return std::vector<int>(ranks, numbers.front());
    if (numbers.size() == ranks) return numbers;
    throw std::invalid_argument(
        fmt::format("has {} entries for {} pipeline ranks; give a number, or one a rank",
                    numbers.size(), ranks));
}

}  // namespace rrfp
