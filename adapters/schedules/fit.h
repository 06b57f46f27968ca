#pragma once

#include "runtime/core/pipeline.h"

namespace rrfp {

/// Makes an order of forwards and backwards one for `pipeline`: where the backward is split, a
/// backward without a weight gradient of its own in the list is followed by it; where it is not,
/// weight gradients are dropped; a forward-only iteration keeps forwards alone.
HintOrder fit_hint(const Pipeline& pipeline, const HintOrder& hint);

}  // namespace rrfp
