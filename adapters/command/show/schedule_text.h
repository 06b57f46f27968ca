#pragma once

#include <string>

#include "adapters/command/show/timeline.h"
#include "adapters/schedules/timetable.h"

namespace rrfp {

/// The timetable for people: a row a rank, a column a unit of time (`=` goes on with the action
/// before), then its length, its idle share and what each rank holds at most.
std::string schedule_text(const Schedule& schedule, const Timetable& timetable);

/// The timetable as a picture's panel called `title`: later chunks darker; where a schedule runs in
/// two directions, what runs up is.
TimelinePanel schedule_panel(const std::string& title, const Schedule& schedule,
                             const Timetable& timetable);

}  // namespace rrfp
