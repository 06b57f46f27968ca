#include "adapters/jobs/job/bad_input.h"

#include <fmt/format.h>

namespace rrfp {

BadInput::BadInput(std::vector<std::string> messages)
    : std::runtime_error(fmt::format("{}", fmt::join(messages, "\n"))),
      messages_(std::move(messages)) {}

BadInput::BadInput(std::string message) : BadInput(std::vector{std::move(message)}) {}

}  // namespace rrfp
