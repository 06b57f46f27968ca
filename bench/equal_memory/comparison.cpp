#include "bench/equal_memory/comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "adapters/schedules/registry.h"
#include "runtime/core/hint_check.h"
#include "runtime/simulation/make_dispatchers.h"
#include "runtime/simulation/simulator.h"

namespace rrfp {
namespace {

constexpr int microbatches_a_rank = 4;
constexpr int unlimited = 1'000'000;

class Contender {
  public:
    Contender(const Pipeline& pipeline, const ScheduleOptions& options) : pipeline_(pipeline) {
        validate(pipeline, options);
        dispatchers_ = make_dispatchers(pipeline, options);
    }
    double makespan_ms(const Durations& sample) const {
        return simulate(pipeline_, dispatchers_, sample).makespan_ms;
    }

  private:
    const Pipeline& pipeline_;
    std::vector<std::unique_ptr<Dispatcher>> dispatchers_;
};

std::vector<Limits> limits_of(const Comparison& comparison, const Pipeline& pipeline,
                              const HintOrder& hint) {
    const int ranks = pipeline.placement.ranks();
    const auto more = [&](const std::string& name, int extra) {
        Limits limits{name, hint_levels(pipeline, hint)};
        for (int& limit : limits.of_rank) limit += extra;
        return limits;
    };
    std::vector<Limits> all = {more("base", 0)};
    const bool plain = comparison.chunks == 1 && !comparison.split_weight;
    if (plain) all.push_back(more("base+1", 1));
    all.push_back(more("base+2", 2));
    if (plain && ranks == 8) all.push_back(more("base+4", 4));
    all.push_back(more("base+P", ranks));
    all.push_back({"U", std::vector<int>(ranks, unlimited)});
    if (plain) all.push_back({"flat", std::vector<int>(ranks, ranks)});
    return all;
}

double geometric_mean(const std::vector<double>& ratios) {
    const double logarithms =
        std::accumulate(ratios.begin(), ratios.end(), 0.0,
                        [](double sum, double ratio) { return sum + std::log(ratio); });
    return std::exp(logarithms / static_cast<double>(ratios.size()));
}

/// The value that 5% of the ratios are below, between the nearest two.
double percentile5(std::vector<double> ratios) {
    std::sort(ratios.begin(), ratios.end());
    const double place = 0.05 * static_cast<double>(ratios.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, ratios.size() - 1);
    return ratios[below] + (place - static_cast<double>(below)) * (ratios[above] - ratios[below]);
}

}  // namespace

std::vector<Cell> compare(const Comparison& comparison, int ranks, const Seeds& seeds) {
    const Pipeline pipeline{.placement = comparison.turns
                                             ? Placement::wave(ranks, comparison.chunks)
                                             : Placement::loop(ranks, comparison.chunks),
                            .microbatches = microbatches_a_rank * ranks,
                            .split_weight = comparison.split_weight};
    const HintOrder hint = make_hint(comparison.baseline, pipeline);
    const Contender fixed(
        pipeline, {.arbiter = "fixed", .hint = hint, .limits = hint_levels(pipeline, hint)});
    std::vector<Cell> cells;
    for (const Scenario& scenario : scenarios()) {
        std::vector<Durations> samples;
        std::vector<double> baseline_ms;
        for (int i = 0; i < seeds.count; ++i) {
            samples.push_back(draw_sample(scenario, pipeline, seeds.first + i));
            baseline_ms.push_back(fixed.makespan_ms(samples.back()));
        }
        for (const Limits& limits : limits_of(comparison, pipeline, hint)) {
            for (const std::string& arbiter : comparison.arbiters) {
                const Contender contender(pipeline, {.arbiter = arbiter,
                                                     .hint = hint,
                                                     .limits = limits.of_rank,
                                                     .admission = comparison.admission});
                std::vector<double> ratios;
                for (int i = 0; i < seeds.count; ++i) {
                    ratios.push_back(baseline_ms[i] / contender.makespan_ms(samples[i]));
                }
                cells.push_back({comparison.name, ranks, limits.name, scenario.name, arbiter,
                                 geometric_mean(ratios), percentile5(ratios)});
            }
        }
    }
    return cells;
}

}  // namespace rrfp
