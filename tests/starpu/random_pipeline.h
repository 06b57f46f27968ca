#pragma once

#include <chrono>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/core/arbiters/registry.h"
#include "runtime/core/hint_check.h"
#include "runtime/core/submission_window.h"
#include "tests/simulation/random_arbiter.h"
#include "tests/starpu/checked_pipeline.h"
#include "tests/starpu/test_runtime.h"

namespace rrfp::testing {

/// Random numbers that all ranks draw alike.
class CommonDraws {
  public:
    explicit CommonDraws(std::uint64_t seed) : seed_(seed) {}
    /// 0..count-1.
    int below(std::size_t count) { return static_cast<int>(keyed_bits({seed_, ++draws_}) % count); }
    bool coin() { return below(2) == 1; }

  private:
    std::uint64_t seed_;
    std::uint64_t draws_ = 0;
};

/// A pipeline, how it is arbitrated, and how long its messages and tasks take at most.
struct RandomPipeline {
    Pipeline pipeline;
    ScheduleOptions options;
    std::uint64_t seed;
    double longest_task_ms;
    double mean_delay_ms;
};

inline Placement random_placement(CommonDraws& draws, int ranks) {
    const int chunks = 1 + draws.below(3);
    if (draws.coin()) return Placement::loop(ranks, chunks);
    std::vector<int> v;
    for (int stage = 0; stage < ranks * chunks; ++stage) {
        const int position = stage % ranks;
        v.push_back(stage / ranks % 2 == 1 ? ranks - 1 - position : position);
    }
    return Placement(v);
}

/// Every arbiter comes in turn, and every seventh case the random one.
inline RandomPipeline random_pipeline(std::uint64_t seed, int ranks) {
    CommonDraws draws(seed);
    const auto& arbiters = arbiter_registry();
    const ArbiterEntry& arbiter = arbiters[seed % arbiters.size()];
    RandomPipeline drawn{.pipeline = {.placement = random_placement(draws, ranks),
                                      .microbatches = 1 + draws.below(10),
                                      .split_weight = arbiter.needs_split || draws.coin()},
                         .options = {.arbiter = seed % 7 == 0 ? "random" : arbiter.name},
                         .seed = seed,
                         .longest_task_ms = draws.coin() ? 0.0 : 1.0,
                         .mean_delay_ms = draws.coin() ? 0.0 : 1.0};
    ScheduleOptions& options = drawn.options;
    options.hint = by_microbatch(drawn.pipeline);
    options.deterministic = draws.coin();
    options.admission = static_cast<AdmissionRule>(draws.below(3));
    const std::vector<int> levels = hint_levels(drawn.pipeline, options.hint);
    for (int rank = 0; rank < ranks; ++rank) {
        const bool by_hint =
            options.admission == AdmissionRule::window || options.arbiter == "fixed";
        const bool graded = options.admission == AdmissionRule::graded;
        const int stages = drawn.pipeline.placement.chunks(rank);
        options.limits.push_back((by_hint ? levels[rank] : graded ? stages : 1) + draws.below(4));
    }
    return drawn;
}

inline std::string describe(const RandomPipeline& drawn) {
    const Pipeline& pipeline = drawn.pipeline;
    return fmt::format("seed {}: {}, {} stages, {} microbatches, {}{}{}, limits {}", drawn.seed,
                       drawn.options.arbiter, pipeline.placement.stages(), pipeline.microbatches,
                       pipeline.split_weight ? "split, " : "",
                       drawn.options.deterministic ? "deterministic, " : "",
                       name(drawn.options.admission), drawn.options.limits);
}

inline std::unique_ptr<Dispatcher> dispatcher_of(const RandomPipeline& drawn, int rank) {
    if (drawn.options.arbiter == "random") {
        return random_dispatcher(drawn.pipeline, rank, drawn.options, drawn.seed);
    }
    validate(drawn.pipeline, drawn.options);
    return make_dispatcher(drawn.pipeline, rank, drawn.options);
}

/// What may be in flight at `rank`: the limit, and under the drain rule one more for each of the
/// rank's stages where ranks hold several.
inline int most_in_flight(const RandomPipeline& drawn, int rank) {
    const Placement& placement = drawn.pipeline.placement;
    const bool drains = placement.stages() > placement.ranks() &&
                        drawn.options.admission == AdmissionRule::drain &&
                        drawn.options.arbiter != "fixed";
    return drawn.options.limits[rank] + (drains ? placement.chunks(rank) : 0);
}

inline void expect_within_bounds(const RandomPipeline& drawn, int rank,
                                 const RankIteration& result) {
    EXPECT_LE(result.in_flight_high_water, most_in_flight(drawn, rank));
    // What rank 0 has in flight bounds what is on its way; elsewhere than under `loop` every
    // microbatch on its way may have an entry for each stage here.
    const Placement& placement = drawn.pipeline.placement;
    bool loop = true;
    for (int stage = 0; stage < placement.stages(); ++stage) {
        loop = loop && placement.rank_of(stage) == stage % placement.ranks();
    }
    int bound = most_in_flight(drawn, 0) * (loop ? 1 : placement.chunks(rank));
    if (drawn.pipeline.split_weight) bound += result.in_flight_high_water;
    for (int kind = 0; kind < buffer_kinds; ++kind) {
        EXPECT_LE(result.buffers[kind].high_water(), bound) << name(static_cast<BufferKind>(kind));
        EXPECT_EQ(result.buffers[kind].entries(), 0) << name(static_cast<BufferKind>(kind));
    }
}

inline void expect_in_order(const RandomPipeline& drawn, const RankIteration& result) {
    std::map<std::pair<TaskKind, int>, int> next;
    for (const TaskRecord& record : result.tasks) {
        const Task& task = record.task;
        if (!drawn.options.deterministic || task.kind == TaskKind::forward) continue;
        EXPECT_EQ(task.microbatch, (next[{task.kind, task.stage}]++)) << to_action(task);
    }
}

/// Runs two iterations of the case of `seed` over all ranks and checks every invariant there is at
/// this rank.
inline void check_random_pipeline(std::uint64_t seed) {
    Runtime& runtime = TestRuntime::get();
    const RandomPipeline drawn = random_pipeline(seed, runtime.ranks());
    SCOPED_TRACE(describe(drawn));
    CheckedStages stages(drawn.pipeline);
    const auto body = [&](const Task& task, std::uint64_t iteration, const TensorList& inputs,
                          const TensorList& gradients) {
        const auto word = [](auto value) { return static_cast<std::uint64_t>(value); };
        const double share = keyed_uniform(
            {seed, iteration, word(task.kind), word(task.stage), word(task.microbatch)});
        if (drawn.longest_task_ms > 0) {
            std::this_thread::sleep_for(
                std::chrono::duration<double, std::milli>(share * drawn.longest_task_ms));
        }
        return stages(task, iteration, inputs, gradients);
    };
    PipelineRunner runner(runtime, drawn.pipeline, dispatcher_of(drawn, runtime.rank()), body,
                          {.window = submission_window(drawn.pipeline, drawn.options),
                           .message_delay = random_delays(drawn.mean_delay_ms)});
    for (std::uint64_t iteration = 0; iteration < 2; ++iteration) {
        const RankIteration result = runner.run(iteration);
        expect_within_bounds(drawn, runtime.rank(), result);
        expect_in_order(drawn, result);
    }
    EXPECT_EQ(stages.calls(),
              2 * static_cast<std::size_t>(drawn.pipeline.task_count(runtime.rank())));
    meet();
}

}  // namespace rrfp::testing
