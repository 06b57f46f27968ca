#include "adapters/schedules/schedule.h"

namespace rrfp {

int Schedule::rank_of(int stage, int microbatch) const {
    const int rank = pipeline.placement.rank_of(stage);
    return two_directions() && upward[microbatch] ? pipeline.placement.ranks() - 1 - rank : rank;
}

}  // namespace rrfp
