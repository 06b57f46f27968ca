#include "runtime/simulation/bounds/forced_idle_bound.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "runtime/simulation/bounds/microbatch_paths.h"

namespace rrfp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct RankTasks {
    double head = infinity;              // before its first task
    double head_of_backward = infinity;  // before its first backward
    double tail = infinity;              // after its last task
    double tail_of_forward = infinity;   // after its last forward
    std::vector<double> forwards;        // durations
    std::vector<double> returns;         // durations of a backward and its weight gradient
};

double sum_of_longest(std::vector<double> durations, int count) {
    const auto kept = std::min(durations.size(), static_cast<std::size_t>(count));
    std::partial_sort(durations.begin(), durations.begin() + static_cast<std::ptrdiff_t>(kept),
                      durations.end(), std::greater<>());
    return std::accumulate(durations.begin(), durations.begin() + static_cast<std::ptrdiff_t>(kept),
                           0.0);
}

double sum(const std::vector<double>& durations) {
    return std::accumulate(durations.begin(), durations.end(), 0.0);
}

double bound_of(const RankTasks& rank, int most_in_flight) {
    const double work = sum(rank.forwards) + sum(rank.returns);
    const double late = work - sum_of_longest(rank.forwards, most_in_flight);
    const double early = work - sum_of_longest(rank.returns, most_in_flight);
    double bound = std::max(rank.head_of_backward + late + rank.tail,
                            rank.head + early + rank.tail_of_forward);
    if (static_cast<std::size_t>(most_in_flight) < rank.forwards.size()) {
        bound = std::max(bound, rank.head_of_backward + late + early - work + rank.tail_of_forward);
    }
    return bound;
}

}  // namespace

double forced_idle_bound_ms(const Pipeline& pipeline, const Durations& durations,
                            std::span<const int> most_in_flight) {
    if (pipeline.forward_only) {
        return 0;
    }
    std::vector<RankTasks> ranks(pipeline.placement.ranks());
    MicrobatchPaths paths(pipeline, durations);
    for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
        paths.follow(microbatch);
        for (int stage = 0; stage < pipeline.placement.stages(); ++stage) {
            const auto task_ms = [&](TaskKind kind) {
                return durations.task_ms({kind, stage, microbatch});
            };
            RankTasks& rank = ranks[pipeline.placement.rank_of(stage)];
            rank.head = std::min(rank.head, paths.head_ms(TaskKind::forward, stage));
            rank.head_of_backward =
                std::min(rank.head_of_backward, paths.head_ms(TaskKind::backward, stage));
            rank.tail = std::min(rank.tail, paths.tail_ms(pipeline.release_kind(), stage));
            rank.tail_of_forward =
                std::min(rank.tail_of_forward, paths.tail_ms(TaskKind::forward, stage));
            rank.forwards.push_back(task_ms(TaskKind::forward));
            rank.returns.push_back(
                task_ms(TaskKind::backward) +
                (pipeline.split_weight ? task_ms(TaskKind::weight_gradient) : 0));
        }
    }
    double bound = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        bound = std::max(bound, bound_of(ranks[rank], most_in_flight[rank]));
    }
    return bound;
}

}  // namespace rrfp
