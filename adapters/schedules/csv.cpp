#include "adapters/schedules/csv.h"

#include <unordered_set>
#include <vector>

#include "adapters/schedules/cell.h"
#include "adapters/schedules/faults.h"
#include "runtime/core/text_lines.h"
#include "runtime/system/regular_file.h"

namespace rrfp {
namespace {

constexpr FileKind csv_file{.remedy = "give a schedule CSV or a schedule's name",
                            .most_bytes = 16 << 20};

void parse_row(std::string_view line, ScheduleTable& table) {
    auto& row = table.rows.emplace_back();
    int column = 0;
    for (const std::string_view cell : parts_of(line, ',')) {
        ++column;
        try {
            for (const Action& action : parse_csv_cell(cell)) {
                row.push_back({action, column});
            }
        } catch (const std::invalid_argument& error) {
            table.faults.push_back({static_cast<int>(table.rows.size()), column, error.what()});
        }
    }
}

}  // namespace

ScheduleTable parse_schedule_csv(std::string_view text, const std::string& source) {
    std::vector<std::string_view> lines = lines_of(text);
    while (!lines.empty() && trimmed(lines.back()).empty()) {
        lines.pop_back();
    }
    ScheduleTable table{.source = source};
    for (const std::string_view line : lines) {
        parse_row(line, table);
    }
    return table;
}

ScheduleTable read_schedule_csv(const std::string& path) try {
    return parse_schedule_csv(read_file(path, csv_file), path);
} catch (const FileFault& fault) {
    throw ScheduleFaults({fault.what()});
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
