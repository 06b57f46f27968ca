#pragma once

#include <string>
#include <vector>

namespace rrfp {

// The words that the job file knows for keys that name one of several things.

std::vector<std::string> model_kinds();
std::vector<std::string> placements();
std::vector<std::string> admissions();
std::vector<std::string> agreements();
std::vector<std::string> agreement_scopes();
std::vector<std::string> waitings();

}  // namespace rrfp
