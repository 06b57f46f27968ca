#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/core/task.h"

namespace rrfp {

/// Injected variability: the `[jitter]` section of a job. Every draw is keyed by (seed, iteration,
/// stage, microbatch, kind), so that all orders of work and the simulator see the same ones.
struct Jitter {
    /// Coefficient of variation of each task's log-normal factor, mean 1.
    double compute_cv = 0;
    /// Coefficient of variation of one factor a microbatch, shared by all its tasks, mean 1.
    double microbatch_cv = 0;
    /// Mean delay of a message between ranks, milliseconds.
    double comm_mean_ms = 0;
    /// Absent: exponential delays. Given: log-normal with this coefficient of variation.
    std::optional<double> comm_cv;
    std::uint64_t seed = 0;

    /// The factor on the duration of `task`.
    double task_factor(std::uint64_t iteration, const Task& task) const;
    /// The delay, milliseconds, of the message that carries the result of `producer` (a forward or
    /// a backward) to another rank.
    double message_delay_ms(std::uint64_t iteration, const Task& producer) const;
};

/// Base durations of timed stages, milliseconds: `[model]` of a synthetic job.
struct StageTimes {
    double forward_ms = 0;
    /// The whole backward; the input gradient takes backward_ms - weight_ms where it is split.
    double backward_ms = 0;
    double weight_ms = 0;
    /// One factor a stage; empty means 1 everywhere.
    std::vector<double> stage_scale;

    double base_ms(const Task& task, bool split_weight) const;
};

}  // namespace rrfp
