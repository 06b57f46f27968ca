#pragma once

#include <string_view>

namespace rrfp {

/// Prints `message` on standard error and ends all ranks with `code` through MPI_Abort; where that
/// does not end this process within three seconds, with _exit. Any thread may call it; no
/// destructor and no exit handler runs.
[[noreturn]] void end_job(int code, std::string_view message);

}  // namespace rrfp
