#pragma once

#include <string_view>
#include <vector>

#include "adapters/schedules/action.h"

namespace rrfp {

/// The actions of one cell of a schedule CSV in PyTorch's grammar, in the order they run: none for
/// an empty cell and for communication (`1SEND_F0`, `1RECV_B0`, `2UNSHARD`, `2REDUCE_GRAD` …, which
/// the runtime places itself), several for `(1F2;3B0)OVERLAP_F_B`. Blanks around cells are allowed.
/// Throws std::invalid_argument naming the cell and the form expected.
std::vector<Action> parse_csv_cell(std::string_view cell);

}  // namespace rrfp
