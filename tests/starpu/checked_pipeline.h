#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/core/keyed_random.h"
#include "runtime/core/schedule_options.h"
#include "runtime/starpu/pipeline_runner.h"

namespace rrfp::testing {

inline Tensor numbers(std::int64_t count, std::int64_t value) {
    const std::array<std::int64_t, 1> shape{count};
    Tensor tensor = Tensor::allocate({kDLInt, 64, 1}, shape);
    std::fill_n(static_cast<std::int64_t*>(tensor.data()), count, value);
    return tensor;
}

/// The stages of a pipeline whose every value is known in closed form: the activation that stage s
/// reads is `1000 * microbatch + s + iteration`; the gradient that it reads counts on from the last
/// stage's result, one more at each hop. Shapes differ between microbatches.
class CheckedStages {
  public:
    explicit CheckedStages(const Pipeline& pipeline) : pipeline_(pipeline) {}

    TensorList operator()(const Task& task, std::uint64_t iteration, const TensorList& inputs,
                          const TensorList& gradients) {
        EXPECT_TRUE(seen_.emplace(task, iteration).second) << to_action(task) << " ran twice";
        const auto base =
            1000 * std::int64_t{task.microbatch} + static_cast<std::int64_t>(iteration);
        expect_value(task, inputs, task.stage == 0, base + task.stage, "input");
        const int last = pipeline_.last_stage();
        if (task.kind == TaskKind::forward) {
            EXPECT_TRUE(gradients.empty());
            return {numbers(size(task), base + task.stage + 1)};
        }
        expect_value(task, gradients, false, base + last + 1 + (last - task.stage), "gradient");
        if (task.kind == TaskKind::weight_gradient) return {};
        return {numbers(size(task), base + last + 1 + (last - task.stage) + 1)};
    }

    std::size_t calls() const { return seen_.size(); }

  private:
    static std::int64_t size(const Task& task) { return 3 + 7 * (task.microbatch % 5); }

    void expect_value(const Task& task, const TensorList& list, bool absent, std::int64_t value,
                      const char* what) const {
        ASSERT_EQ(list.size(), absent ? 0U : 1U) << to_action(task) << " " << what;
        if (absent) return;
        ASSERT_EQ(list[0].elements(), size(task)) << to_action(task) << " " << what;
        const auto* data = static_cast<const std::int64_t*>(list[0].data());
        for (std::int64_t i = 0; i < size(task); ++i) {
            ASSERT_EQ(data[i], value) << to_action(task) << " " << what << " at " << i;
        }
    }

    Pipeline pipeline_;
    std::set<std::pair<Task, std::uint64_t>> seen_;
};

/// `stages`, but for `failing`, which throws std::out_of_range("token 300 of 256").
inline TaskBody failing_at(CheckedStages& stages, const Task& failing) {
    return [&stages, failing](const Task& task, std::uint64_t iteration, const TensorList& inputs,
                              const TensorList& gradients) {
        if (task == failing) throw std::out_of_range("token 300 of 256");
        return stages(task, iteration, inputs, gradients);
    };
}

/// The 1F1B list of one rank, one stage a rank: an independent copy for the tests.
inline std::vector<Task> one_f_one_b(int ranks, int rank, int microbatches, bool split = false) {
    std::vector<Task> list;
    const auto backward = [&](int m) {
        list.push_back({TaskKind::backward, rank, m});
        if (split) list.push_back({TaskKind::weight_gradient, rank, m});
    };
    const int warm_up = std::min(microbatches, ranks - rank - 1);
    for (int m = 0; m < microbatches; ++m) {
        list.push_back({TaskKind::forward, rank, m});
        if (m >= warm_up) backward(m - warm_up);
    }
    for (int m = std::max(0, microbatches - warm_up); m < microbatches; ++m) backward(m);
    return list;
}

/// Every microbatch through all local stages up, then all down: right for any placement.
inline HintOrder by_microbatch(const Pipeline& pipeline) {
    HintOrder hint(static_cast<std::size_t>(pipeline.placement.ranks()));
    for (int r = 0; r < pipeline.placement.ranks(); ++r) {
        for (int m = 0; m < pipeline.microbatches; ++m) {
            const auto stages = pipeline.placement.stages_of(r);
            for (const int s : stages) hint[r].push_back({TaskKind::forward, s, m});
            for (auto s = stages.rbegin(); s != stages.rend(); ++s) {
                hint[r].push_back({TaskKind::backward, *s, m});
                if (pipeline.split_weight) hint[r].push_back({TaskKind::weight_gradient, *s, m});
            }
        }
    }
    return hint;
}

/// With the hint `by_microbatch` and the same limit at every rank.
inline ScheduleOptions equal_limits(const Pipeline& pipeline, const std::string& arbiter,
                                    int limit) {
    const auto ranks = static_cast<std::size_t>(pipeline.placement.ranks());
    return {.arbiter = arbiter,
            .hint = by_microbatch(pipeline),
            .limits = std::vector<int>(ranks, limit)};
}

/// Exponential delays, some of them zero, the same on all ranks.
inline std::function<double(std::uint64_t, const Task&)> random_delays(double mean_ms) {
    if (mean_ms == 0) return nullptr;
    return [mean_ms](std::uint64_t iteration, const Task& task) {
        const std::initializer_list<std::uint64_t> key = {
            iteration, static_cast<std::uint64_t>(task.kind),
            static_cast<std::uint64_t>(task.stage), static_cast<std::uint64_t>(task.microbatch)};
        return keyed_uniform(key) < 0.3 ? 0.0 : mean_ms * keyed_exponential(key);
    };
}

}  // namespace rrfp::testing
