#pragma once

#include <utility>

#include "runtime/core/keyed_random.h"
#include "runtime/core/schedule_options.h"

namespace rrfp {

/// Any candidate at all: it obeys no order of microbatches, chunks or kinds. Its choice depends on
/// what it has been told alone, as every arbiter's must.
class RandomArbiter final : public Arbiter {
  public:
    RandomArbiter(const Pipeline& pipeline, int rank, std::uint64_t seed)
        : rank_(static_cast<std::uint64_t>(rank)), seed_(seed) {
        for (int kind = 0; kind < pipeline.kinds(); ++kind) {
            for (const int stage : pipeline.placement.stages_of(rank)) {
                for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
                    tasks_.push_back({static_cast<TaskKind>(kind), stage, microbatch});
                }
            }
        }
    }

    std::string_view name() const override { return "random"; }
    bool ranks_weight_gradients() const override { return true; }
    void begin_iteration() override { dispatched_ = 0; }
    std::optional<Task> choose(const Candidates& candidates) override {
        const std::size_t first = keyed_bits({seed_, rank_, dispatched_}) % tasks_.size();
        for (std::size_t step = 0; step < tasks_.size(); ++step) {
            const Task& task = tasks_[(first + step) % tasks_.size()];
            if (candidates.contains(task)) {
                return task;
            }
        }
        return std::nullopt;
    }
    void dispatched(const Task& /*task*/) override { ++dispatched_; }

  private:
    std::vector<Task> tasks_;
    std::uint64_t rank_;
    std::uint64_t seed_;
    std::uint64_t dispatched_ = 0;
};

/// `RandomArbiter` behind the filters that `options` ask for.
inline std::unique_ptr<Dispatcher> random_dispatcher(const Pipeline& pipeline, int rank,
                                                     const ScheduleOptions& options,
                                                     std::uint64_t seed) {
    return make_dispatcher(pipeline, rank, options,
                           std::make_unique<RandomArbiter>(pipeline, rank, seed));
}

}  // namespace rrfp
