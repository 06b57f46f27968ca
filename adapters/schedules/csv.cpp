#include "adapters/schedules/csv.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <unordered_set>

#include "adapters/schedules/cell.h"
#include "adapters/schedules/faults.h"

namespace rrfp {
namespace {

void parse_row(std::string_view line, ScheduleTable& table) {
    auto& row = table.rows.emplace_back();
    int column = 0;
    for (bool last = false; !last;) {
        const auto end = line.find(',');
        last = end == std::string_view::npos;
        ++column;
        try {
            for (const Action& action : parse_csv_cell(line.substr(0, end))) {
                row.push_back({action, column});
            }
        } catch (const std::invalid_argument& error) {
            table.faults.push_back({static_cast<int>(table.rows.size()), column, error.what()});
        }
        line.remove_prefix(last ? line.size() : end + 1);
    }
}

}  // namespace

ScheduleTable parse_schedule_csv(std::string_view text, const std::string& source) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) {
        text.remove_prefix(byte_order_mark.size());
    }
    const auto last = text.find_last_not_of(" \t\r\n");
    text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
    ScheduleTable table{.source = source};
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        parse_row(line, table);
    }
    return table;
}

ScheduleTable read_schedule_csv(const std::string& path) {
    errno = 0;
    std::ostringstream text;
    const std::ifstream file(path, std::ios::binary);
    text << file.rdbuf();  // copies nothing of an empty file, and says why of one that it cannot
    if (!file.is_open() || (!text && errno != 0)) {
        throw ScheduleFaults({path + ": cannot be read: " + std::strerror(errno) +
                              "; give a schedule CSV or a schedule's name"});
    }
    return parse_schedule_csv(text.str(), path);
}

ScheduleTable to_table(const Schedule& schedule, const std::string& source) {
    ScheduleTable table{.source = source};
    for (const auto& list : schedule.order) {
        const std::unordered_set<Task> listed(list.begin(), list.end());
        auto& row = table.rows.emplace_back();
        for (const Task& task : list) {
            const bool split =
                task.kind == TaskKind::backward &&
                listed.contains({TaskKind::weight_gradient, task.stage, task.microbatch});
            row.push_back({{task, split}, static_cast<int>(row.size()) + 1});
        }
    }
    return table;
}

std::string to_csv(const Schedule& schedule) {
    std::string text;
    for (const auto& row : to_table(schedule, {}).rows) {
        for (const TableEntry& entry : row) {
            text += to_cell(entry.action) + ',';
        }
        text.back() = '\n';
    }
    return text;
}

}  // namespace rrfp
