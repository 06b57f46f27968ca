#pragma once

#include <string>

#include "runtime/core/admission_rule.h"
#include "runtime/core/pipeline.h"

namespace rrfp {

/// The arbiter where a user names none, by what was measured best (docs/scheduling.md): `tide`, or
/// `tide-w` with a split backward, with one stage a rank and under window admission. Under the
/// other rules with several stages a rank `bfw` with the split; without it `bf`, but `f-priority`
/// under graded admission on `loop` and waves, where the memory of their schedule is not there. All
/// run under `deterministic`; `tide` and `tide-w` need a hint.
std::string default_arbiter(const Pipeline& pipeline, AdmissionRule admission);

}  // namespace rrfp
