#include "bench/equal_memory/scenario.h"

#include <array>

#include "runtime/core/keyed_random.h"

namespace rrfp {
namespace {

/// A rank's work for one microbatch, whatever the number of its stages.
StageTimes times_ms(const Pipeline& pipeline) {
    const double share = 1.0 / pipeline.placement.chunks(0);
    return {.forward_ms = 10 * share, .backward_ms = 20 * share, .weight_ms = 10 * share};
}

enum class Draw : std::uint64_t { encoder = 101, straggler, stall };

double factor(const Scenario& scenario, const Pipeline& pipeline, std::uint64_t seed,
              const Task& task) {
    const auto word = [](auto value) { return static_cast<std::uint64_t>(value); };
    double product = 1;
    if (scenario.encoder && task.stage == 0) {
        product *= 1.5 * keyed_log_normal(1, {word(Draw::encoder), seed, word(task.microbatch)});
    }
    if (scenario.straggler) {
        const auto stages = word(pipeline.placement.stages());
        const bool slow = keyed_bits({word(Draw::straggler), seed}) % stages == word(task.stage);
        product *= slow ? 1.5 : 1;
    }
    if (scenario.stall && keyed_uniform({word(Draw::stall), seed, word(task.kind), word(task.stage),
                                         word(task.microbatch)}) < 0.03) {
        product *= 5;
    }
    return product;
}

}  // namespace

std::span<const Scenario> scenarios() {
    static const std::array<Scenario, 7> all = {{
        {.name = "jitter", .jitter = {.compute_cv = 0.5}},
        {.name = "length", .jitter = {.microbatch_cv = 0.5}},
        {.name = "comm", .jitter = {.comm_mean_ms = 10}},
        {.name = "encoder", .encoder = true},
        {.name = "mix", .jitter = {.compute_cv = 0.3, .microbatch_cv = 0.3, .comm_mean_ms = 5}},
        {.name = "straggler", .jitter = {.compute_cv = 0.3}, .straggler = true},
        {.name = "stall", .stall = true},
    }};
    return all;
}

Durations draw_sample(const Scenario& scenario, const Pipeline& pipeline, std::uint64_t seed) {
    Jitter jitter = scenario.jitter;
    jitter.seed = seed;
    Durations sample = Durations::draw(pipeline, times_ms(pipeline), jitter, 0);
    for (int kind = 0; kind < pipeline.kinds(); ++kind) {
        for (int stage = 0; stage < sample.stages(); ++stage) {
            for (int microbatch = 0; microbatch < sample.microbatches(); ++microbatch) {
                const Task task{static_cast<TaskKind>(kind), stage, microbatch};
                sample.set_task_ms(task,
                                   sample.task_ms(task) * factor(scenario, pipeline, seed, task));
            }
        }
    }
    return sample;
}

}  // namespace rrfp
