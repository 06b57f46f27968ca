#include "adapters/schedules/timetable.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "adapters/schedules/csv.h"
#include "adapters/schedules/fit.h"
#include "runtime/core/hint_check.h"
#include "runtime/core/in_order_run.h"

namespace rrfp {

Timetable unit_timetable(const Schedule& schedule) {
    std::unordered_set<Task> weight_gradients;
    for (const auto& list : schedule.order) {
        std::copy_if(list.begin(), list.end(),
                     std::inserter(weight_gradients, weight_gradients.end()),
                     [](const Task& task) { return task.kind == TaskKind::weight_gradient; });
    }
    InOrderRun run(schedule.pipeline, schedule.order, [&](const Task& task) {
        const bool whole =
            task.kind == TaskKind::backward &&
            !weight_gradients.contains({TaskKind::weight_gradient, task.stage, task.microbatch});
        return whole ? 2.0 : 1.0;
    });
    run.advance();

    const ScheduleTable actions = to_table(schedule, {});
    const HintOrder fitted = fit_hint(schedule.pipeline, schedule.order);
    Timetable timetable;
    double work = 0;
    for (std::size_t rank = 0; rank < schedule.order.size(); ++rank) {
        auto& row = timetable.ranks.emplace_back();
        for (std::size_t entry = 0; entry < schedule.order[rank].size(); ++entry) {
            const double duration = run.duration(schedule.order[rank][entry]);
            const double start = run.starts()[rank][entry];
            row.push_back({actions.rows[rank][entry].action, static_cast<int>(start),
                           static_cast<int>(start + duration)});
            work += duration;
        }
        timetable.units = std::max(timetable.units, row.back().end);
        timetable.in_flight.push_back(peak_in_flight(schedule.pipeline, fitted[rank]));
    }
    timetable.idle = 1 - work / (static_cast<double>(timetable.ranks.size()) * timetable.units);
    return timetable;
}

}  // namespace rrfp
