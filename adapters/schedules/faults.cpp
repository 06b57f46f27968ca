#include "adapters/schedules/faults.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rrfp {

ScheduleFaults::ScheduleFaults(std::vector<std::string> messages)
    : std::invalid_argument(fmt::format("{}", fmt::join(messages, "\n"))),
      messages_(std::move(messages)) {}

}  // namespace rrfp
