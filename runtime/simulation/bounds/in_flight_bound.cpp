#include "runtime/simulation/bounds/in_flight_bound.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "runtime/simulation/bounds/microbatch_paths.h"

namespace rrfp {
namespace {

struct Places {
    double head = std::numeric_limits<double>::infinity();
    double taken = 0;
    double tail = std::numeric_limits<double>::infinity();
};

}  // namespace

double in_flight_bound_ms(const Pipeline& pipeline, const Durations& durations,
                          std::span<const int> most_in_flight) {
    std::vector<Places> ranks(pipeline.placement.ranks());
    MicrobatchPaths paths(pipeline, durations);
    for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
        paths.follow(microbatch);
        for (int stage = 0; stage < pipeline.placement.stages(); ++stage) {
            Places& rank = ranks[pipeline.placement.rank_of(stage)];
            rank.head = std::min(rank.head, paths.head_ms(TaskKind::forward, stage));
            rank.tail = std::min(rank.tail, paths.tail_ms(pipeline.release_kind(), stage));
            rank.taken += paths.round_trip_ms(stage);
        }
    }
    double bound = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const Places& places = ranks[rank];
        bound = std::max(bound, places.head + places.taken / most_in_flight[rank] + places.tail);
    }
    return bound;
}

}  // namespace rrfp
