#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/pipeline.h"

namespace rrfp {

/// The hint order of the schedule called `name`, fitted to `pipeline` (see fit_hint). Throws
/// std::invalid_argument for an unknown name, listing the known ones, and for a placement that the
/// schedule is not made for.
HintOrder make_hint(std::string_view name, const Pipeline& pipeline);

/// The names `make_hint` knows, in the order documentation lists them. To add a schedule: write its
/// file, declare its generator below, and add a line to the table in registry.cpp.
std::vector<std::string> schedule_names();

HintOrder generate_gpipe(const Pipeline& pipeline);
HintOrder generate_one_f_one_b(const Pipeline& pipeline);

}  // namespace rrfp
