#include "adapters/jobs/job/bad_input.h"

#include <utility>

#include <fmt/format.h>

#include "runtime/core/shown_text.h"

namespace rrfp {

BadInput::BadInput(std::vector<std::string> messages)
    : BadInput(Bounded{shown(std::move(messages))}) {}

BadInput::BadInput(std::string message) : BadInput(std::vector{std::move(message)}) {}

BadInput::BadInput(Bounded bounded)
    : std::runtime_error(fmt::format("{}", fmt::join(bounded.messages, "\n"))),
      messages_(std::move(bounded.messages)) {}

}  // namespace rrfp
