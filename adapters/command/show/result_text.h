#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/report/report.h"

namespace rrfp {

/// The table at the end of a run: one line a rank, and the figures of the whole.
std::string run_text(const RunResult& result);

/// The table of a comparison, one line a run; each is compared with the first.
std::string comparison_text(const std::vector<RunResult>& runs);

/// The first run's median over this one's.
double speedup(const RunResult& first, const RunResult& run);

}  // namespace rrfp
