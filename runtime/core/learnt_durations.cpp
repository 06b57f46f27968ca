#include "runtime/core/learnt_durations.h"

#include <algorithm>

namespace rrfp {
namespace {

constexpr double newest_weight = 1.0 / 8;

template <typename Values>
std::optional<double> mean_of(const Values& values) {
    double sum = 0;
    int seen = 0;
    for (const std::optional<double>& value : values) {
        if (value) {
            sum += *value;
            ++seen;
        }
    }
    return seen > 0 ? std::optional(sum / seen) : std::nullopt;
}

}  // namespace

LearntDurations::LearntDurations(int stages) {
    for (auto& averages : averages_) {
        averages.resize(stages);
    }
}

void LearntDurations::learn(const Task& task, double milliseconds) {
    std::optional<double>& average = averages_[static_cast<int>(task.kind)][task.stage];
    if (!average) {
        std::vector<int>& seen = seen_[static_cast<int>(task.kind)];
        seen.insert(std::ranges::upper_bound(seen, task.stage), task.stage);
    }
    average = average ? *average + newest_weight * (milliseconds - *average) : milliseconds;
}

double LearntDurations::expected_ms(TaskKind kind, int stage) const {
    if (const auto& own = averages_[static_cast<int>(kind)][stage]) {
        return *own;
    }
    if (const auto of_kind = mean(kind)) {
        return *of_kind;
    }
    return mean_of(std::array{mean(TaskKind::forward), mean(TaskKind::backward),
                              mean(TaskKind::weight_gradient)})
        .value_or(1);
}

std::optional<double> LearntDurations::mean(TaskKind kind) const {
    const auto& averages = averages_[static_cast<int>(kind)];
    const std::vector<int>& seen = seen_[static_cast<int>(kind)];
    if (seen.empty()) return std::nullopt;
    double sum = 0;
    for (const int stage : seen) sum += *averages[stage];
    return sum / static_cast<double>(seen.size());
}

}  // namespace rrfp
