#pragma once

#include <cstdint>

#include "adapters/jobs/job/job.h"

namespace rrfp {

// About how many bytes the tables take that decide what runs next, the most of any arbiter: what a
// job that is possible as such may be refused for.

/// At one rank. Grows with the square of the chunks: each chunk looks tasks up in a table as long
/// as the rank's whole list.
std::int64_t rank_table_bytes(const Job& job);

/// At all ranks, where one process holds them: in a simulation.
std::int64_t all_table_bytes(const Job& job);

}  // namespace rrfp
