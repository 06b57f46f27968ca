#pragma once

#include <nlohmann/json.hpp>

#include "adapters/jobs/report/report.h"

namespace rrfp {

/// What `to_json(RunResult)` wrote, read back, for a report of `job`. Losses and times are the same
/// bits; task times start at 0. Throws std::runtime_error that names what is missing or malformed.
RunResult read_report(const nlohmann::json& report, const Job& job);

}  // namespace rrfp
