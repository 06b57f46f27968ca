#include "runtime/simulation/bounds/alternation_bound.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "runtime/simulation/bounds/plain_pipeline.h"
#include "runtime/simulation/bounds/stage_maxima.h"

namespace rrfp {
namespace {

/// [n]: the most that n consecutive microbatches of (kind, stage) take, n = 0..longest. Beyond M
/// all of them.
std::vector<double> heaviest_windows(const Durations& durations, TaskKind kind, int stage,
                                     int longest) {
    const int microbatches = durations.microbatches();
    std::vector<double> before(microbatches + 1);  // [m]: the sum of microbatches 0..m-1
    for (int m = 0; m < microbatches; ++m) {
        before[m + 1] = before[m] + durations.task_ms({kind, stage, m});
    }
    std::vector<double> heaviest(longest + 1, before[microbatches]);
    for (int n = 0; n <= std::min(longest, microbatches); ++n) {
        heaviest[n] = 0;
        for (int m = 0; m + n <= microbatches; ++m) {
            heaviest[n] = std::max(heaviest[n], before[m + n] - before[m]);
        }
    }
    return heaviest;
}

/// The dearest way to share n >= 1 more between the stretches so far and a new one of at least 1.
std::vector<double> add_stretch(const std::vector<double>& so_far, const std::vector<double>& cost,
                                int stretches) {
    std::vector<double> total(so_far.size());
    for (int n = stretches; n < static_cast<int>(so_far.size()); ++n) {
        for (int own = 1; own <= n - stretches + 1; ++own) {
            total[n] = std::max(total[n], so_far[n - own] + cost[own]);
        }
    }
    return total;
}

double links_ms(const StageMaxima& maxima) {
    double sum = 0;
    for (std::size_t stage = 0; stage < maxima.forward.size(); ++stage) {
        sum += maxima.forward_link[stage] + maxima.backward_link[stage];
    }
    return sum;
}

}  // namespace

double alternation_bound_ms(const Pipeline& pipeline, const Durations& durations) {
    require_plain_pipeline(pipeline, "alternation_bound_ms");
    const int stages = pipeline.placement.stages();
    const int length = pipeline.microbatches - 1 + 2 * stages;
    std::vector<double> dearest(length + 1);
    int stretches = 0;
    for (int stage = 0; stage < stages; ++stage) {
        std::vector<double> cost = heaviest_windows(durations, TaskKind::forward, stage, length);
        const auto backward = heaviest_windows(durations, TaskKind::backward, stage, length);
        std::transform(cost.begin(), cost.end(), backward.begin(), cost.begin(), std::plus<>());
        // Once with forwards, once with backwards.
        dearest = add_stretch(dearest, cost, ++stretches);
        dearest = add_stretch(dearest, cost, ++stretches);
    }
    return dearest[length] + links_ms(stage_maxima(pipeline, durations));
}

double steady_alternation_bound_ms(const Pipeline& pipeline, const Durations& durations) {
    require_plain_pipeline(pipeline, "steady_alternation_bound_ms");
    const StageMaxima maxima = stage_maxima(pipeline, durations);
    double slowest = 0;
    double sum = 0;
    for (std::size_t stage = 0; stage < maxima.forward.size(); ++stage) {
        const double pair = maxima.forward[stage] + maxima.backward[stage];
        slowest = std::max(slowest, pair);
        sum += pair;
    }
    return (pipeline.microbatches - 1) * slowest + 2 * sum + links_ms(maxima);
}

}  // namespace rrfp
