#include "runtime/core/submission_window.h"

#include <algorithm>
#include <vector>

namespace rrfp {
namespace {

/// The least window under which one rank can follow `list` from start to end.
int span(const Pipeline& pipeline, int rank, const std::vector<Task>& list) {
    const int tasks_each = pipeline.task_count(rank) / pipeline.microbatches;
    std::vector<int> left(pipeline.microbatches, tasks_each);
    int retired = 0;
    int window = 1;
    for (const Task& task : list) {
        window = std::max(window, task.microbatch + 1 - retired);
        if (--left[task.microbatch] == 0) {
            ++retired;
        }
    }
    return window;
}

}  // namespace

int submission_window(const Pipeline& pipeline, const ScheduleOptions& options) {
    int window = 1;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        const bool follows = options.arbiter == "fixed";
        if (follows || options.admission == AdmissionRule::window) {
            window = std::max(window, span(pipeline, rank, options.hint[rank]));
        }
        if (!follows) {
            window = std::max(window, options.limits[rank] + pipeline.placement.chunks(rank));
        }
    }
    return std::min(window, pipeline.microbatches);
}

}  // namespace rrfp
