#include <stdexcept>

#include <fmt/format.h>

#include "adapters/schedules/generators.h"
#include "adapters/schedules/list_scheduling.h"

namespace rrfp {

/// Chimera (Li and Hoefler, "Chimera: Efficiently Training Large-Scale Neural Networks with
/// Bidirectional Pipelines", 2021): of each round of P microbatches half run down the ranks and
/// half up, which needs every stage twice. Drawn at F = B = 1, where the two directions interlock:
/// the bubble is P-2 units and at most P microbatches are in flight at a rank.
Schedule generate_chimera(int ranks, int microbatches) {
    if (ranks < 2 || ranks % 2 != 0) {
        throw std::invalid_argument(fmt::format(
            "schedule 'chimera' is for an even number of ranks, since half of the microbatches "
            "run down and half up; here it is {}",
            ranks));
    }
    const int half = ranks / 2;
    Schedule schedule{
        .pipeline = {.placement = Placement::loop(ranks), .microbatches = microbatches}};
    for (int microbatch = 0; microbatch < microbatches; ++microbatch) {
        schedule.upward.push_back(microbatch / half % 2 == 1);
    }
    schedule.order = schedule_lists(
        {.ranks = ranks,
         .stages = ranks,
         .microbatches = microbatches,
         .rank_of = [&](int stage, int microbatch) { return schedule.rank_of(stage, microbatch); },
         .age = [&](int microbatch) { return microbatch / ranks * half + microbatch % half; }});
    return schedule;
}

}  // namespace rrfp
