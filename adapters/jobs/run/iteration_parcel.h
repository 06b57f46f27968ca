#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/core/metrics.h"

namespace rrfp {

/// Tasks and arrivals of some iterations as bytes that ranks of one job exchange.
std::string pack_iterations(std::span<const RankIteration> iterations);
/// Their inverse. std::runtime_error for bytes that end too early.
std::vector<RankIteration> unpack_iterations(const std::string& bytes);

}  // namespace rrfp
