#pragma once

#include <rapidcheck.h>

#include "runtime/core/keyed_random.h"
#include "runtime/simulation/durations.h"

namespace rrfp {

/// An order of `items` that `seed` picks among all.
template <typename Item>
void shuffle(std::vector<Item>& items, std::uint64_t seed) {
    for (std::size_t left = items.size(); left > 1; --left) {
        std::swap(items[left - 1], items[keyed_bits({seed, left}) % left]);
    }
}

/// Durations and delays of 0, 1 or 2 ms: much happens at the same instant.
inline Durations tied_sample(const Pipeline& pipeline, std::uint64_t seed) {
    Durations sample(pipeline);
    for (int kind = 0; kind < pipeline.kinds(); ++kind) {
        for (int stage = 0; stage < sample.stages(); ++stage) {
            for (int microbatch = 0; microbatch < sample.microbatches(); ++microbatch) {
                const std::uint64_t bits = keyed_bits({seed, static_cast<std::uint64_t>(kind),
                                                       static_cast<std::uint64_t>(stage),
                                                       static_cast<std::uint64_t>(microbatch)});
                const Task task{static_cast<TaskKind>(kind), stage, microbatch};
                sample.set_task_ms(task, static_cast<double>(bits % 3));
                sample.set_message_ms(task, static_cast<double>(bits / 3 % 3));
            }
        }
    }
    return sample;
}

/// Durations that tie often or hardly ever, and delays long enough for messages to overtake.
inline Durations random_sample(const Pipeline& pipeline) {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000);
    if (*rc::gen::weightedElement<bool>({{1, true}, {3, false}})) {
        return tied_sample(pipeline, seed);
    }
    const Jitter jitter{.compute_cv = *rc::gen::element(0.0, 0.5, 1.5),
                        .microbatch_cv = *rc::gen::element(0.0, 0.7),
                        .comm_mean_ms = *rc::gen::element(0.0, 1.0, 40.0),
                        .seed = seed};
    StageTimes times{.forward_ms = 10, .backward_ms = 20, .weight_ms = 8};
    if (const double uneven = *rc::gen::element(0.0, 1.0); uneven > 0) {
        for (int stage = 0; stage < pipeline.placement.stages(); ++stage) {
            times.stage_scale.push_back(
                keyed_log_normal(uneven, {seed, static_cast<std::uint64_t>(stage)}));
        }
    }
    return Durations::draw(pipeline, times, jitter, 0);
}

}  // namespace rrfp
