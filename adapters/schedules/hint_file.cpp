#include "adapters/schedules/hint_file.h"

#include <fmt/format.h>

#include "adapters/schedules/csv.h"
#include "adapters/schedules/faults.h"
#include "adapters/schedules/fit.h"
#include "adapters/schedules/table_check.h"

namespace rrfp {

HintOrder read_hint(const std::string& path, const Pipeline& pipeline) {
    const Placement& placement = pipeline.placement;
    const Schedule schedule =
        check_table(read_schedule_csv(path), {.stages = placement.stages(),
                                              .ranks = placement.ranks(),
                                              .microbatches = pipeline.microbatches});
    if (schedule.two_directions()) {
        throw ScheduleFaults({path +
                              ": runs stages on two ranks each, half of the microbatches up the "
                              "ranks, which no job's placement does; choose another schedule"});
    }
    std::vector<std::string> misplaced;
    for (int stage = 0; stage < placement.stages(); ++stage) {
        const int row = schedule.pipeline.placement.rank_of(stage) + 1;
        if (row != placement.rank_of(stage) + 1) {
            misplaced.push_back(fmt::format(
                "{}: row {} (rank {}) holds stage {}, which the job places on rank {}; change "
                "parallel.placement or the file",
                path, row, row - 1, stage, placement.rank_of(stage)));
        }
    }
    if (!misplaced.empty()) {
        throw ScheduleFaults(misplaced);
    }
    return fit_hint(pipeline, schedule.order);
}

}  // namespace rrfp
