#include "adapters/schedules/faults.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/core/shown_text.h"

namespace rrfp {

ScheduleFaults::ScheduleFaults(std::vector<std::string> messages)
    : ScheduleFaults(Bounded{shown(std::move(messages))}) {}

ScheduleFaults::ScheduleFaults(Bounded bounded)
    : std::invalid_argument(fmt::format("{}", fmt::join(bounded.messages, "\n"))),
      messages_(std::move(bounded.messages)) {}

}  // namespace rrfp
