#pragma once

#include <string>

#include "adapters/jobs/training/trainer.h"

namespace rrfp {

/// On rank 0 the SHA-256, lower-case hex, of all parameters of all ranks: of the lines
/// `name digest\n` sorted by name, so that it does not depend on the layout. Empty elsewhere and
/// where `trainer` is null. Throws std::runtime_error that names the parameter where replicas
/// differ.
std::string gather_parameter_hash(const Trainer* trainer);

}  // namespace rrfp
