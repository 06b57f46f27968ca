#include <stdexcept>
#include <string>

#include "adapters/schedules/csv.h"
#include "adapters/schedules/faults.h"
#include "adapters/schedules/table_check.h"
#include "tests/fuzz/targets.h"

namespace rrfp::fuzz {

void schedule_csv(std::string_view input) {
    try {
        const Schedule schedule = check_table(parse_schedule_csv(input, "fuzz.csv"));
        // What is accepted prints and reads back as the same.
        const std::string printed = to_csv(schedule);
        if (check_table(parse_schedule_csv(printed, "again.csv")).order != schedule.order) {
            throw std::logic_error("another schedule was read back");
        }
    } catch (const ScheduleFaults&) {
    }
}

}  // namespace rrfp::fuzz
