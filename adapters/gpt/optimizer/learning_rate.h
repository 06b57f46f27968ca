#pragma once

#include <cstdint>

namespace rrfp {

/// A rate that rises, then falls.
struct LearningRates {
    double highest = 1e-3;
    double lowest = 0;
    int warmup = 0;      ///< iterations
    int iterations = 1;  ///< of the whole training
};

/// The learning rate of `iteration` (0-based): with w warm-up iterations of n, it rises linearly,
/// highest (i + 1) / w, then falls along half a cosine from `highest` at i = w to `lowest` at
/// i = n, where it stays.
double learning_rate_at(const LearningRates& rates, std::uint64_t iteration);

}  // namespace rrfp
