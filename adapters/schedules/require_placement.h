#pragma once

#include <string_view>

#include "runtime/core/placement.h"

namespace rrfp {

// Refuse, with a std::invalid_argument that names the schedule, what was found and what it needs, a
// placement that a schedule is not made for.

/// Stage s on rank s.
void require_one_stage_a_rank(std::string_view schedule, const Placement& placement);
/// Stage = chunk * ranks + rank.
void require_loop(std::string_view schedule, const Placement& placement);
/// Rank r holds stages r and 2P-1-r.
void require_v(std::string_view schedule, const Placement& placement);
/// Down and up the ranks, an even number of chunks.
void require_waves(std::string_view schedule, const Placement& placement);

}  // namespace rrfp
