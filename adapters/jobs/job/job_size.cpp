#include "adapters/jobs/job/job_size.h"

#include <algorithm>
#include <bit>

namespace rrfp {
namespace {

/// Of the rank that holds the most.
std::int64_t most_chunks(const Placement& placement) {
    int most = 1;
    for (int rank = 0; rank < placement.ranks(); ++rank) {
        most = std::max(most, placement.chunks(rank));
    }
    return most;
}

}  // namespace

std::int64_t rank_table_bytes(const Job& job) {
    const Pipeline pipeline = job.pipeline();
    const std::int64_t lists = std::int64_t{task_kinds} * most_chunks(pipeline.placement);
    const std::int64_t tasks =
        most_chunks(pipeline.placement) * pipeline.kinds() * std::int64_t{pipeline.microbatches};
    constexpr std::int64_t tree_bytes = 2 * sizeof(int);  // PositionIndex, an entry
    constexpr std::int64_t stage_bytes = 140;             // placements, of which each has some
    const auto entries = std::bit_ceil(static_cast<std::uint64_t>(tasks));
    return lists * static_cast<std::int64_t>(entries) * tree_bytes +
           pipeline.placement.stages() * stage_bytes;
}

std::int64_t all_table_bytes(const Job& job) {
    return rank_table_bytes(job) * job.placement().ranks();
}

}  // namespace rrfp
