#pragma once

#include <string>
#include <vector>

#include "runtime/core/schedule_options.h"

namespace rrfp {

// The words that the job file knows for keys that name one of several things. Those of arbiters
// come from the core; those that this version does not run are in job_keys.cpp.

std::vector<std::string> model_kinds();
std::vector<std::string> placements();
std::vector<std::string> admissions();
std::vector<std::string> agreements();
std::vector<std::string> waitings();

}  // namespace rrfp
