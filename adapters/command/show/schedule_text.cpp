#include "adapters/command/show/schedule_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rrfp {

std::string schedule_text(const Schedule& schedule, const Timetable& timetable) {
    std::size_t width = std::to_string(timetable.units - 1).size();
    for (const auto& row : timetable.ranks) {
        for (const TimedAction& timed : row) {
            width = std::max(width, to_cell(timed.action).size());
        }
    }
    const auto line = [&](const std::string& name, const std::vector<std::string>& cells) {
        std::string text = fmt::format("{:<8}", name);
        for (const std::string& cell : cells) {
            text += fmt::format(" {:>{}}", cell, width);
        }
        return text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
    };
    std::vector<std::string> times;
    for (int time = 0; time < timetable.units; ++time) {
        times.push_back(std::to_string(time));
    }
    std::string text = line("", times);
    for (std::size_t rank = 0; rank < timetable.ranks.size(); ++rank) {
        std::vector<std::string> cells(timetable.units);
        for (const TimedAction& timed : timetable.ranks[rank]) {
            std::fill(cells.begin() + timed.start, cells.begin() + timed.end,
                      std::string(width, '='));
            cells[timed.start] = to_cell(timed.action);
        }
        text += line(fmt::format("rank {}", rank), cells);
    }
    return text +
           fmt::format(
               "{} stages on {} ranks{}, {} microbatches: {} units (F, I, W 1; B 2), {:.1f}% "
               "idle\nmost microbatches of a stage in flight, by rank: {}\n",
               schedule.pipeline.placement.stages(), timetable.ranks.size(),
               schedule.two_directions() ? " in two directions" : "",
               schedule.pipeline.microbatches, timetable.units, 100 * timetable.idle,
               fmt::join(timetable.in_flight, ", "));
}

TimelinePanel schedule_panel(const std::string& title, const Schedule& schedule,
                             const Timetable& timetable) {
    TimelinePanel panel{.title = fmt::format("{}: {:.1f}% idle", title, 100 * timetable.idle)};
    for (const auto& row : timetable.ranks) {
        auto& tasks = panel.ranks.emplace_back();
        for (const TimedAction& timed : row) {
            tasks.push_back({timed.action.task, static_cast<double>(timed.start),
                             static_cast<double>(timed.end)});
        }
    }
    if (schedule.two_directions()) {
        panel.shade = [upward = schedule.upward](const Task& task) {
            return upward[task.microbatch] ? 1 : 0;
        };
    } else {
        panel.shade = chunk_shade(schedule.pipeline.placement);
    }
    return panel;
}

}  // namespace rrfp
