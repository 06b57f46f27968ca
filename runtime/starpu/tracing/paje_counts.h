#pragma once

#include <cstdint>
#include <string>

namespace rrfp {

/// How much a Paje trace shows.
struct PajeCounts {
    std::uint64_t states = 0;  ///< events that put a container into a state
    std::uint64_t links = 0;   ///< links that were both started and ended
};

/// Counts the events of a Paje file by the names that its own header gives them. Throws
/// std::runtime_error when the file cannot be read or has no header.
PajeCounts count_paje(const std::string& file);

}  // namespace rrfp
