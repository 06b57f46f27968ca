#pragma once

#include <string>
#include <string_view>

#include "runtime/core/task.h"

namespace rrfp {

/// One cell of a schedule table: a task, and whether a backward there is the input gradient alone
/// (`I`) or the whole (`B`).
struct Action {
    Task task;
    bool input_gradient_alone = false;

    friend bool operator==(const Action&, const Action&) = default;
};

/// Reads a cell: stage, letter, microbatch, e.g. `2F0`; letters F, B, I and W. Strict: nothing may
/// precede or follow. Throws std::invalid_argument naming `cell` and the form expected.
Action parse_cell(std::string_view cell);

/// The cell that `parse_cell` reads as `action`.
std::string to_cell(const Action& action);

}  // namespace rrfp
