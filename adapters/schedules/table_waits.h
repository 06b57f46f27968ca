#pragma once

#include <vector>

#include "adapters/schedules/table.h"

namespace rrfp {

class TableIndex;

/// The deadlocks of a table whose rows run in order: each ring of rows that wait for one another is
/// one fault, at the first of its rows, which names every row, column, and what is waited for. What
/// is missing or out of order within its row counts as done, since it is reported by itself. Of
/// many the first ones, as many as are told.
std::vector<TableFault> endless_waits(const TableIndex& index);

}  // namespace rrfp
