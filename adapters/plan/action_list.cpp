#include "adapters/plan/action_list.h"

#include <charconv>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

namespace rrfp {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view rest) {
    throw std::invalid_argument(
        fmt::format("a list of actions is wrong at character {}: '{}'; a cell is stage, F, B or W, "
                    "microbatch",
                    text.size() - rest.size(), rest.substr(0, 16)));
}

/// The number at the front of `rest`, which is then cut off.
int take_number(std::string_view text, std::string_view& rest) {
    int value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || value < 0) refuse(text, rest);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return value;
}

TaskKind take_kind(std::string_view text, std::string_view& rest) {
    for (int kind = 0; kind < task_kinds && !rest.empty(); ++kind) {
        if (rest.front() != letter(static_cast<TaskKind>(kind))) continue;
        rest.remove_prefix(1);
        return static_cast<TaskKind>(kind);
    }
    refuse(text, rest);
}

}  // namespace

std::string action_list(const std::vector<Task>& tasks) {
    std::string text;
    for (const Task& task : tasks) {
        if (!text.empty()) text += ' ';
        fmt::format_to(std::back_inserter(text), "{}{}{}", task.stage, letter(task.kind),
                       task.microbatch);
    }
    return text;
}

std::vector<Task> read_action_list(std::string_view text) {
    std::vector<Task> tasks;
    std::string_view rest = text;
    while (!rest.empty()) {
        Task task;
        task.stage = take_number(text, rest);
        task.kind = take_kind(text, rest);
        task.microbatch = take_number(text, rest);
        tasks.push_back(task);
        if (rest.empty()) break;
        if (rest.front() != ' ' || rest.size() == 1) refuse(text, rest);
        rest.remove_prefix(1);
    }
    return tasks;
}

}  // namespace rrfp
