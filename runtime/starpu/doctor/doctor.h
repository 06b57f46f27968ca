#pragma once

#include <vector>

#include "runtime/system/fact.h"

namespace rrfp {

/// What StarPU, MPI and this machine offer the runtime: versions, traces, how idle ranks wait,
/// cores, and whether a rank starts with our policy in force.
///
/// Call it before MPI is initialised and while no other thread runs: it tries things in child
/// processes. Takes about a second. Never throws for what it finds.
std::vector<Fact> examine_runtime();

}  // namespace rrfp
