#pragma once

#include <nlohmann/json.hpp>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// The job as the report shows it: one object a section, one entry a key of the table.
nlohmann::json to_json(const Job& job);

}  // namespace rrfp
