#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/jobs/report/report.h"

namespace rrfp {

/// One run in the picture.
struct TimelinePanel {
    std::string title;
    std::vector<std::vector<TaskRecord>> ranks;  ///< tasks of each rank, on one clock
    /// 0 for the colour of a task's kind, more for darker shades of it; empty: all 0.
    std::function<int(const Task&)> shade = {};
};

/// Shades tasks by their rank's chunks.
std::function<int(const Task&)> chunk_shade(const Placement& placement);

/// The last iteration of each run; the title says its arbiter and its times.
std::vector<TimelinePanel> timeline_panels(const std::vector<RunResult>& runs);

/// The panels one above the other: a lane a rank, a box a task, all on one scale of time that
/// starts at each panel's first task, so that lengths can be compared at a glance.
/// Times are in `unit`; those of tasks are too, whatever their names say.
std::string timeline_svg(const std::vector<TimelinePanel>& panels, std::string_view unit = "ms");

}  // namespace rrfp
