#pragma once

#include <string>
#include <string_view>

#include "adapters/schedules/schedule.h"
#include "adapters/schedules/table.h"

namespace rrfp {

/// Reads PyTorch's schedule CSV: one row a rank, cells separated by commas (see parse_csv_cell); an
/// empty cell is a bubble. A byte order mark, line ends of either kind, a trailing comma and empty
/// lines at the end are allowed. Cells that are no actions become faults of the table. `source`
/// names the text in messages.
ScheduleTable parse_schedule_csv(std::string_view text, const std::string& source);

/// parse_schedule_csv of a file; ScheduleFaults when it cannot be read.
ScheduleTable read_schedule_csv(const std::string& path);

/// The schedule as PyTorch's loader reads it: one row a rank, no bubbles. `I` and `W` where the
/// backward is split, `B` where not. What it prints, parse_schedule_csv reads as the same actions.
std::string to_csv(const Schedule& schedule);

/// The rows of `schedule` as a table called `source`, as if to_csv had been read.
ScheduleTable to_table(const Schedule& schedule, const std::string& source);

}  // namespace rrfp
