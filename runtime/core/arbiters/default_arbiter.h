#pragma once

#include <string>

#include "runtime/core/pipeline.h"

namespace rrfp {

/// The arbiter where a user names none: `tide` with one stage a rank, `bf` with several, `bfw` with
/// a split backward. All run under `deterministic` and any positive limit.
std::string default_arbiter(const Pipeline& pipeline);

}  // namespace rrfp
