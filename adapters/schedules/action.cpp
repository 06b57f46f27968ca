#include "adapters/schedules/action.h"

#include <charconv>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/core/shown_text.h"

namespace rrfp {
namespace {

/// Takes a whole number without sign off the front of `text`.
std::optional<int> take_number(std::string_view& text) {
    if (text.empty() || text.front() == '-') {
        return std::nullopt;
    }
    int value = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
    if (error != std::errc()) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    return value;
}

/// Takes the letter of a kind off the front of `text` into `action`.
bool take_letter(std::string_view& text, Action& action) {
    if (text.empty()) {
        return false;
    }
    switch (text.front()) {
        case 'F':
            action.task.kind = TaskKind::forward;
            break;
        case 'I':
            action.input_gradient_alone = true;
            [[fallthrough]];
        case 'B':
            action.task.kind = TaskKind::backward;
            break;
        case 'W':
            action.task.kind = TaskKind::weight_gradient;
            break;
        default:
            return false;
    }
    text.remove_prefix(1);
    return true;
}

}  // namespace

Action parse_cell(std::string_view cell) {
    Action action;
    std::string_view rest = cell;
    const auto stage = take_number(rest);
    const bool lettered = stage && take_letter(rest, action);
    const auto microbatch = lettered ? take_number(rest) : std::nullopt;
    if (!microbatch || !rest.empty()) {
        throw std::invalid_argument(fmt::format(
            "'{}' is no action; write stage, one of F, B, I, W, and microbatch, as in 2F0",
            shown(cell)));
    }
    action.task.stage = *stage;
    action.task.microbatch = *microbatch;
    return action;
}

std::string to_cell(const Action& action) {
    return to_action(action.task, action.input_gradient_alone);
}

}  // namespace rrfp
