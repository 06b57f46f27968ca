#pragma once

#include <string>
#include <vector>

#include "adapters/command/common/prepare.h"

namespace rrfp {

/// As `launch_ranks`, with what is `prepared` handed to the ranks. With a `trace_folder`, merges
/// what the ranks left there after a good end and says where the trace is, unless `quiet`.
int launch_traced(const PreparedJob& prepared, const std::vector<std::string>& words,
                  const std::string& trace_folder, bool quiet);

/// Throws BadInput when `folder` cannot take the trace of a run.
void check_trace_folder(const std::string& folder);

}  // namespace rrfp
