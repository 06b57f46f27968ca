#pragma once

#include "runtime/core/pipeline.h"

namespace rrfp {

/// Refuses, with std::invalid_argument that names `bound` and what is wrong, a pipeline that is not
/// one stage a rank with a whole backward: some bounds are proven for no other.
void require_plain_pipeline(const Pipeline& pipeline, const char* bound);

}  // namespace rrfp
