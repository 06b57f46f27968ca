#pragma once

#include <cstdint>

#include "adapters/jobs/job.h"

namespace rrfp {

/// The learning rate of `iteration` (0-based): with w warm-up iterations of n, it rises linearly,
/// rate (i + 1) / w, then falls along half a cosine from `learning_rate` at i = w to
/// `min_learning_rate` at i = n, where it stays.
double learning_rate_at(const TrainSection& train, std::uint64_t iteration);

}  // namespace rrfp
