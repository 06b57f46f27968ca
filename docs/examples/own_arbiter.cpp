// An arbiter of one's own, tried in simulation beside the library's.

#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/dispatcher.h"
#include "runtime/core/filters/backpressure.h"
#include "runtime/simulation/simulator.h"

namespace {

/// Keeps `level` microbatches in flight: a forward while there are fewer, else a backward, and the
/// other kind where the wanted one is not ready.
class KeepLevel final : public rrfp::Arbiter {
  public:
    explicit KeepLevel(int level) : level_(level) {}

    std::string_view name() const override { return "keep-level"; }
    std::optional<rrfp::Task> choose(const rrfp::Candidates& candidates) override {
        const auto forward = candidates.first_forward();
        const auto backward = candidates.first_backward();
        if (candidates.state().in_flight() < level_) {
            return forward ? forward : backward;
        }
        return backward ? backward : forward;
    }

  private:
    int level_;
};

using MakeArbiter = std::function<std::unique_ptr<rrfp::Arbiter>(int rank)>;

double mean_makespan_ms(const rrfp::Pipeline& pipeline, const MakeArbiter& make_arbiter) {
    constexpr int iterations = 20;
    constexpr int limit = 32;
    const rrfp::StageTimes times{.forward_ms = 10, .backward_ms = 20};
    const rrfp::Jitter jitter{.compute_cv = 0.5};
    double total_ms = 0;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        std::vector<std::unique_ptr<rrfp::Dispatcher>> dispatchers;
        for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
            std::vector<std::unique_ptr<rrfp::Filter>> filters;
            filters.push_back(std::make_unique<rrfp::Backpressure>(limit));
            dispatchers.push_back(std::make_unique<rrfp::Dispatcher>(
                pipeline, rank, make_arbiter(rank), std::move(filters)));
        }
        const auto durations = rrfp::Durations::draw(pipeline, times, jitter, iteration);
        total_ms += rrfp::simulate(pipeline, dispatchers, durations).makespan_ms;
    }
    return total_ms / iterations;
}

}  // namespace

int main() {
    const rrfp::Pipeline pipeline{.placement = rrfp::Placement::loop(4), .microbatches = 16};
    const double bf = mean_makespan_ms(pipeline, [&](int rank) {
        return rrfp::make_bf({.pipeline = pipeline, .rank = rank, .hint = {}});
    });
    const double own =
        mean_makespan_ms(pipeline, [](int rank) { return std::make_unique<KeepLevel>(8 - rank); });
    std::printf("bf         %6.1f ms\nkeep-level %6.1f ms\n", bf, own);
}
