#include "adapters/torch/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rrfp {

double learning_rate_at(const TrainSection& train, std::uint64_t iteration) {
    const auto i = static_cast<double>(iteration);
    const double warmup = train.warmup_iterations;
    if (i < warmup) return train.learning_rate * (i + 1) / warmup;
    const double length = std::max(1.0, train.iterations - warmup);
    const double progress = std::min(1.0, (i - warmup) / length);
    const double weight = 0.5 * (1 + std::cos(std::numbers::pi * progress));
    return train.min_learning_rate + weight * (train.learning_rate - train.min_learning_rate);
}

}  // namespace rrfp
