#pragma once

#include <string>

#include "adapters/plan/plan.h"

namespace rrfp {

/// A plan for people: what holds for all ranks, then one line a pipeline rank.
std::string describe(const Plan& plan);

}  // namespace rrfp
