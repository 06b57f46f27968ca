#include "bench/defaults/sweep.h"

#include <algorithm>
#include <cmath>

#include "adapters/schedules/default_options.h"
#include "runtime/core/hint_check.h"
#include "runtime/simulation/make_dispatchers.h"
#include "runtime/simulation/simulator.h"

namespace rrfp {
namespace {

constexpr int unlimited = 1'000'000;

Durations draw(const Pipeline& pipeline, const Variation& variation, int seed) {
    const double share = 1.0 / pipeline.placement.chunks(0);  // of what a rank takes
    StageTimes times{.forward_ms = 10 * share, .backward_ms = 20 * share, .weight_ms = 10 * share};
    if (variation.uneven) {
        times.stage_scale.assign(pipeline.placement.stages(), 1);
        times.stage_scale.front() = 1.2;
        times.stage_scale.back() *= 1.4;
    }
    const Jitter jitter{.compute_cv = variation.cv,
                        .comm_mean_ms = variation.message_ms,
                        .seed = static_cast<std::uint64_t>(seed)};
    return Durations::draw(pipeline, times, jitter, 0);
}

/// What `limit` allows each rank; empty is the default.
std::vector<int> limits_of(const std::string& limit, const Pipeline& pipeline,
                           const std::vector<int>& own) {
    if (limit == "default") return {};
    std::vector<int> limits = own;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        const int least = pipeline.placement.chunks(rank);
        int& value = limits[rank];
        if (limit == "least") value = least;
        if (limit == "half") value = std::max(least, (value + 1) / 2);
        if (limit == "own-1") value = std::max(least, value - 1);
        if (limit == "own+P") value += pipeline.placement.ranks();
        if (limit == "none") value = unlimited;
    }
    return limits;
}

/// Every rule with every arbiter that could stand there, within the memory that `limits` allow:
/// what the drain rule may add to D is taken off its limit. `window` needs the hint's memory.
std::vector<ScheduleWishes> rivals(const Shape& shape, const std::vector<int>& limits) {
    std::vector<int> drained = limits;
    for (int& limit : drained) limit -= shape.chunks == 1 ? 0 : shape.chunks;
    const bool drains = *std::min_element(drained.begin(), drained.end()) > 0;
    std::vector<ScheduleWishes> all;
    for (const char* arbiter : {shape.split_weight ? "bfw" : "bf", "f-priority"}) {
        ScheduleWishes rival{.arbiter = arbiter,
                             .placement = shape.placement,
                             .limits = limits,
                             .admission = AdmissionRule::graded};
        all.push_back(rival);
        rival.limits = drained;
        rival.admission = AdmissionRule::drain;
        if (drains) all.push_back(rival);
    }
    return all;
}

class Runs {
  public:
    Runs(const Pipeline& pipeline, std::vector<Durations> samples)
        : pipeline_(pipeline), samples_(std::move(samples)) {}

    /// The mean logarithm of the makespan.
    double log_ms(const ScheduleOptions& options) const {
        validate(pipeline_, options);
        const auto dispatchers = make_dispatchers(pipeline_, options);
        double sum = 0;
        for (const Durations& sample : samples_) {
            sum += std::log(simulate(pipeline_, dispatchers, sample).makespan_ms);
        }
        return sum / static_cast<double>(samples_.size());
    }

  private:
    const Pipeline& pipeline_;
    std::vector<Durations> samples_;
};

}  // namespace

Pipeline Shape::pipeline() const {
    return {.placement = placement == "v" ? Placement::v(ranks) : Placement::loop(ranks, chunks),
            .microbatches = microbatches,
            .split_weight = split_weight};
}

const std::vector<std::string>& limit_names() {
    static const std::vector<std::string> names = {"least", "half",    "own-1", "own",
                                                   "own+P", "default", "none"};
    return names;
}

std::vector<Shape> shapes(int ranks) {
    std::vector<Shape> all;
    for (const int rounds : {1, 2, 4, 8}) {
        for (const bool split : {false, true}) {
            for (const int chunks : {1, 2, 3, 4}) {
                all.push_back({"loop", ranks, chunks, rounds * ranks, split});
            }
            all.push_back({"v", ranks, 2, rounds * ranks, split});
        }
    }
    return all;
}

std::vector<Variation> variations() {
    std::vector<Variation> all;
    for (const double cv : {0.0, 0.25, 0.5, 1.0}) {
        for (const double message_ms : {0.0, 5.0}) {
            for (const bool uneven : {false, true}) {
                all.push_back({cv, message_ms, uneven});
            }
        }
    }
    return all;
}

std::vector<Cell> sweep(const Shape& shape, const Variation& variation, int seeds) {
    const Pipeline pipeline = shape.pipeline();
    const bool varies = variation.cv > 0 || variation.message_ms > 0;
    std::vector<Durations> samples;
    for (int seed = 1; seed <= (varies ? seeds : 1); ++seed) {
        samples.push_back(draw(pipeline, variation, seed));
    }
    const Runs runs(pipeline, std::move(samples));
    const ScheduleOptions fixed =
        resolve_options(pipeline, {.arbiter = "fixed", .placement = shape.placement});
    const double fixed_ms = runs.log_ms(fixed);

    std::vector<Cell> cells;
    for (const std::string& limit : limit_names()) {
        const std::vector<int> limits = limits_of(limit, pipeline, fixed.limits);
        const ScheduleOptions chosen =
            resolve_options(pipeline, {.placement = shape.placement, .limits = limits});
        Cell cell{.shape = shape,
                  .limit = limit,
                  .variation = variation,
                  .admission = name(chosen.admission),
                  .arbiter = chosen.arbiter,
                  .speedup = std::exp(fixed_ms - runs.log_ms(chosen))};
        bool below = false;
        for (std::size_t rank = 0; rank < limits.size(); ++rank) {
            below = below || limits[rank] < fixed.limits[rank];
        }
        if (below) {
            cell.best = cell.speedup;
            for (const ScheduleWishes& rival : rivals(shape, limits)) {
                const double ms = runs.log_ms(resolve_options(pipeline, rival));
                cell.best = std::max(cell.best, std::exp(fixed_ms - ms));
            }
        }
        cells.push_back(cell);
    }
    return cells;
}

}  // namespace rrfp
