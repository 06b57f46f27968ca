#pragma once

#include <vector>

#include "runtime/core/task.h"

namespace rrfp {

/// The list of a rank that holds `stage` alone and alternates: `warm_up` forwards, then forward and
/// backward in turn, then the backwards that are left. Weight gradients follow the backwards in
/// microbatch order, `held_back` of them behind: their memory, `warm_up` + 1 + `held_back`
/// microbatches at most, is what they pay for filling the rank's last gaps.
std::vector<Task> alternate(int stage, int microbatches, int warm_up, int held_back);

}  // namespace rrfp
