#pragma once

#include <string>

#include "adapters/plan/plan.h"

namespace rrfp {

/// `facts` as JSON without blanks, keys in alphabetical order, each rank's hint one action list.
std::string plan_text(const PlanFacts& facts);

/// The facts in `text`, with the hint of the pipeline rank of `world_rank` alone: a rank needs no
/// other, and lists are most of a plan. Throws std::invalid_argument where the text is no plan.
PlanFacts read_plan_text(const std::string& text, int world_rank);

}  // namespace rrfp
