#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "adapters/command/common/common_options.h"
#include "adapters/jobs/report/report.h"

namespace rrfp {

/// Writes what `--json` and `--timeline` ask for: the report of the one run.
void write_outputs(const CommonOptions& options, const RunResult& result);
/// `report`, and one picture with all `runs` on the same scale.
void write_outputs(const CommonOptions& options, const nlohmann::json& report,
                   const std::vector<RunResult>& runs);

}  // namespace rrfp
