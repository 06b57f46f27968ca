#pragma once

#include <optional>

#include "adapters/schedules/schedule.h"
#include "adapters/schedules/table.h"

namespace rrfp {

/// What a table must measure; what is left out is inferred from it.
struct TableShape {
    std::optional<int> stages;
    std::optional<int> ranks;
    std::optional<int> microbatches;
};

/// The schedule that `table` writes down: its placement is that of its rows (a stage is on the row
/// that has most of its actions), its numbers of stages and microbatches those of its cells. A
/// table whose microbatches run wholly down or wholly up the ranks is one of two directions.
///
/// Throws ScheduleFaults with every fault: cells that are no actions; actions that are listed twice
/// (or `W` beside a whole `B`), misplaced, missing, out of order on their rank, and waits between
/// rows that never end.
Schedule check_table(const ScheduleTable& table, const TableShape& shape = {});

}  // namespace rrfp
