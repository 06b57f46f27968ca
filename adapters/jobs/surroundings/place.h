#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapters/jobs/surroundings/demand.h"
#include "runtime/system/fact.h"

namespace rrfp {

/// Where the files of a run go: the memory through which ranks send messages, Open MPI's session,
/// StarPU's home. All lie in one folder, so that nothing is left wherever the run ends.
struct Place {
    std::optional<std::string> parent;  ///< of that folder; empty where no place is good enough
    Fact fact;
};

/// Bytes that the files of a run take, as Open MPI makes them.
std::uint64_t bytes_wanted(const Demand& demand);

/// The first of `parents` that can be written and has room.
Place choose_place(const Demand& demand, const std::vector<std::string>& parents);

}  // namespace rrfp
