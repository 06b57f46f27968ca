#pragma once

#include <vector>

#include "runtime/starpu/doctor/doctor.h"

namespace rrfp {

/// What stands around the runtime: the launcher, libtorch, the Python environment that it comes
/// from, and the programs that open pictures and traces.
std::vector<Fact> examine_toolchain();

}  // namespace rrfp
