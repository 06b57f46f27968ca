#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "adapters/schedules/schedule.h"

namespace rrfp {

/// The hint order of the schedule called `name`, fitted to `pipeline` (see fit_hint). Throws
/// std::invalid_argument for an unknown name, listing the known ones, and for a placement that the
/// schedule is not made for.
HintOrder make_hint(std::string_view name, const Pipeline& pipeline);

/// Whether a hint's name stands for a file: it ends in `.csv` or holds a `/`.
bool is_hint_file(std::string_view name_or_path);

/// `read_hint` (hint_file.h) or `make_hint`, as `is_hint_file` says.
HintOrder hint_of(const std::string& name_or_path, const Pipeline& pipeline);

/// The schedule called `name` over `stages` stages on `ranks` ranks, on the placement it is made
/// for and with its backward split where it splits it. Throws std::invalid_argument as make_hint
/// does.
Schedule make_schedule(std::string_view name, int stages, int ranks, int microbatches);

/// The schedule whose order is the hint where a job names none. `placement` is the job's word for
/// its placement (`loop`, `v`, `wave`); anything else is an explicit list, which is looked at.
std::string default_hint(const Pipeline& pipeline, std::string_view placement);

/// The names `make_hint` knows, in the order documentation lists them. To add a schedule: write its
/// file, declare its generator in generators.h, and add a line to the table in registry.cpp.
std::vector<std::string> schedule_names();

}  // namespace rrfp
