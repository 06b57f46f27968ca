#pragma once

#include <functional>

#include "runtime/core/pipeline.h"

namespace rrfp {

/// What `schedule_lists` may know.
struct ListRules {
    int ranks = 1;
    int stages = 1;
    int microbatches = 1;
    /// Length of a backward; a forward takes 1.
    int backward_units = 1;
    std::function<int(int stage, int microbatch)> rank_of;
    /// Lower is older: goes first among tasks of one kind.
    std::function<int(int microbatch)> age;
};

/// Lists of forwards and whole backwards by greedy scheduling in unit time: a rank that is free
/// takes a ready task at once, a forward if its last task was a backward, else a backward first;
/// of one kind the oldest, then the deepest stage. What was drawn ends, as it has run.
HintOrder schedule_lists(const ListRules& rules);

}  // namespace rrfp
