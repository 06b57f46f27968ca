#include "runtime/simulation/bounds.h"

#include <algorithm>
#include <limits>

#include "runtime/simulation/bounds/microbatch_paths.h"

namespace rrfp {
namespace {

/// Least head and tail and the sum of work at a rank.
struct RankWork {
    double head = std::numeric_limits<double>::infinity();
    double work = 0;
    double tail = std::numeric_limits<double>::infinity();
};

}  // namespace

Bounds bounds(const Pipeline& pipeline, const Durations& durations) {
    Bounds result;
    std::vector<RankWork> ranks(pipeline.placement.ranks());
    MicrobatchPaths paths(pipeline, durations);
    for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
        paths.follow(microbatch);
        result.critical_path_ms = std::max(result.critical_path_ms, paths.longest_ms());
        for (int kind = 0; kind < pipeline.kinds(); ++kind) {
            for (int stage = 0; stage < pipeline.placement.stages(); ++stage) {
                const auto direction = static_cast<TaskKind>(kind);
                RankWork& rank = ranks[pipeline.placement.rank_of(stage)];
                rank.head = std::min(rank.head, paths.head_ms(direction, stage));
                rank.work += durations.task_ms({direction, stage, microbatch});
                rank.tail = std::min(rank.tail, paths.tail_ms(direction, stage));
            }
        }
    }
    result.lower_bound_ms = result.critical_path_ms;
    for (const RankWork& rank : ranks) {
        result.rank_work_ms.push_back(rank.head + rank.work + rank.tail);
        result.lower_bound_ms = std::max(result.lower_bound_ms, result.rank_work_ms.back());
    }
    return result;
}

}  // namespace rrfp
