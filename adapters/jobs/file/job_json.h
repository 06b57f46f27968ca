#pragma once

#include <nlohmann/json.hpp>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// The job as the report shows it: one object a section, one entry a key of the table.
nlohmann::json to_json(const Job& job);

/// The job that `to_json` made `sections` of. Throws nlohmann::json::exception where it did not.
Job read_job(const nlohmann::json& sections);

}  // namespace rrfp
