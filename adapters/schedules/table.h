#pragma once

#include <string>
#include <vector>

#include "adapters/schedules/action.h"

namespace rrfp {

/// An action and the cell it stands in; columns count from 1.
struct TableEntry {
    Action action;
    int column = 0;
};

/// Something wrong in a table. Rows and columns count from 1: row r+1 is rank r.
struct TableFault {
    int row = 0;
    int column = 0;
    std::string what;
};

/// A schedule as written: one row a rank, actions in the order they run. Nothing is known of it yet
/// but that its cells are actions.
struct ScheduleTable {
    std::string source;  ///< the file, or the schedule's name; begins each message
    std::vector<std::vector<TableEntry>> rows;
    std::vector<TableFault> faults;  ///< cells that are no actions
};

}  // namespace rrfp
