#pragma once

#include <vector>

#include "runtime/core/admission_rule.h"
#include "runtime/core/pipeline.h"

namespace rrfp {

/// The rule of admission where a user names none. `window` where ranks hold several stages and it
/// can be had: a hint that some run can follow, forwards (and if `deterministic` gradients) in
/// microbatch order, and limits of its own memory or more. Else `graded`; with one stage a rank all
/// rules come to the same. `drain` only for a limit below the stages of its rank, which nothing
/// else takes.
AdmissionRule default_admission(const Pipeline& pipeline, const HintOrder& hint,
                                const std::vector<int>& limits, bool deterministic);

/// The bound on D at each rank where a user names none: the paper's 32, but no less than what
/// `own`, the fixed schedule that the pipeline is compared with, keeps in flight there, and no less
/// than the stages of the rank. A schedule that keeps everything (see below) asks for nothing.
std::vector<int> default_limits(const Pipeline& pipeline, const HintOrder& own);

/// Whether every rank that follows `hint` has all its forwards in flight at once, as under GPipe:
/// then the hint says nothing on memory. False where a microbatch is alone.
bool keeps_everything(const Pipeline& pipeline, const HintOrder& hint);

}  // namespace rrfp
