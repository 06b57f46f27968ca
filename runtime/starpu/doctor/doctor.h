#pragma once

#include <string>
#include <vector>

namespace rrfp {

enum class Health { ok, warn, fail };

/// One thing that `rrfp doctor` reports about the machine or its libraries.
struct Fact {
    std::string name;
    std::string value;
    Health health = Health::ok;
    std::string remedy;  ///< what to do about it; empty when all is well
};

/// What StarPU, MPI and this machine offer the runtime: versions, traces, how idle ranks wait,
/// cores, single-copy transfers, shared memory, and whether a rank starts with our policy in force.
///
/// Call it before MPI is initialised and while no other thread runs: it tries things in child
/// processes. Takes about a second. Never throws for what it finds.
std::vector<Fact> examine_runtime();

}  // namespace rrfp
