#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapters/jobs/training/checkpoint.h"

namespace rrfp {

/// The checkpoint that `job` continues from: none unless `[output] resume` asks for one and the
/// folder holds one. std::runtime_error, naming both sides, when it is of another model or layout,
/// was trained with other values of the keys that determine a training (unless `[output]
/// resume_changed` accepts them), or is past the job's last iteration; naming the file when one of
/// a rank is not whole or another's. Reads the headers of the ranks' files alone.
std::optional<Checkpoint> check_checkpoint(const Job& job);

/// What the user should know where `job` continues from `found`, which `check_checkpoint` has
/// accepted: a line each for what cannot be verified and for what has changed.
std::vector<std::string> warnings_of(const Checkpoint& found, const Job& job);

/// Throws std::runtime_error where `job` starts anew, and would in time replace a checkpoint that
/// its folder holds.
void require_nothing_replaced(const Job& job);

}  // namespace rrfp
