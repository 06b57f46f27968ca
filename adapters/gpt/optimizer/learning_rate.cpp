#include "adapters/gpt/optimizer/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rrfp {

double learning_rate_at(const LearningRates& rates, std::uint64_t iteration) {
    const auto i = static_cast<double>(iteration);
    const double warmup = rates.warmup;
    if (i < warmup) return rates.highest * (i + 1) / warmup;
    const double length = std::max(1.0, rates.iterations - warmup);
    const double progress = std::min(1.0, (i - warmup) / length);
    const double weight = 0.5 * (1 + std::cos(std::numbers::pi * progress));
    return rates.lowest + weight * (rates.highest - rates.lowest);
}

}  // namespace rrfp
