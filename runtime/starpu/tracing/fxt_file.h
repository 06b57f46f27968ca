#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rrfp {

/// An exit of all ranks from one barrier, as StarPU-MPI records it when it starts and when it ends.
struct SyncPoint {
    std::uint64_t offset = 0;   ///< of the event in the file, bytes
    std::uint64_t time_ns = 0;  ///< on the rank's clock, CLOCK_MONOTONIC
    std::uint64_t rank = 0;
    std::uint64_t ranks = 0;
    std::uint64_t run = 0;  ///< a number that the files of one run share
};

/// The synchronisation points in an FxT file of StarPU-MPI, in order. A run of one rank has none.
/// Throws std::runtime_error when the file cannot be read.
///
/// FxT records an event as 64-bit words: time, thread, (code << 8) + parameters + 1, parameters.
/// Whole events are looked for by code and by parameters that fit together, since blocks and
/// strings between them keep no alignment.
std::vector<SyncPoint> find_sync_points(const std::string& file);

/// Makes starpu_fxt_tool take `time_ns` as the time at which `point` was passed, in place of the
/// time at which this rank happened to record it.
void write_sync_time(const std::string& file, const SyncPoint& point, std::uint64_t time_ns);

}  // namespace rrfp
