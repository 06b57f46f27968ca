#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/report.h"

namespace rrfp {

/// One run in the picture.
struct TimelinePanel {
    std::string title;
    std::vector<std::vector<TaskRecord>> ranks;  ///< tasks of each rank, on one clock
};

/// The last iteration of each run; the title says its arbiter and its times.
std::vector<TimelinePanel> timeline_panels(const std::vector<RunResult>& runs);

/// The panels one above the other: a lane a rank, a box a task, all on one scale of time that
/// starts at each panel's first task, so that lengths can be compared at a glance.
std::string timeline_svg(const std::vector<TimelinePanel>& panels);

}  // namespace rrfp
