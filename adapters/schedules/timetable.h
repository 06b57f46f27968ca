#pragma once

#include <vector>

#include "adapters/schedules/action.h"
#include "adapters/schedules/schedule.h"

namespace rrfp {

/// An action and when it runs, in units of time.
struct TimedAction {
    Action action;
    int start = 0;
    int end = 0;
};

/// A schedule run in order in unit time.
struct Timetable {
    std::vector<std::vector<TimedAction>> ranks;
    int units = 0;               ///< until the last end
    double idle = 0;             ///< share of all ranks' units that are idle
    std::vector<int> in_flight;  ///< [rank]: most microbatches of a stage held at once
};

/// `schedule`, which must be checked, when F, I and W take one unit, a whole B two and messages
/// none.
Timetable unit_timetable(const Schedule& schedule);

}  // namespace rrfp
