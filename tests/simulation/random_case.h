#pragma once

#include <rapidcheck.h>

#include "tests/simulation/run_case.h"

namespace rrfp {

struct RandomCase {
    Pipeline pipeline;
    ScheduleOptions options;
    Durations sample;
};

/// Durations that tie often (0, 1 or 2 ms) or hardly ever (log-normal), and delays long enough for
/// messages to overtake.
inline Durations random_sample(const Pipeline& pipeline) {
    const Jitter jitter{.compute_cv = *rc::gen::element(0.0, 0.5, 1.5),
                        .microbatch_cv = *rc::gen::element(0.0, 0.7),
                        .comm_mean_ms = *rc::gen::element(0.0, 1.0, 40.0),
                        .seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000)};
    const StageTimes times{.forward_ms = 10, .backward_ms = 20, .weight_ms = 8};
    Durations sample = Durations::draw(pipeline, times, jitter, 0);
    if (!*rc::gen::arbitrary<bool>()) {
        return sample;
    }
    for (int kind = 0; kind < task_kinds; ++kind) {
        for (int stage = 0; stage < sample.stages(); ++stage) {
            for (int microbatch = 0; microbatch < sample.microbatches(); ++microbatch) {
                const Task task{static_cast<TaskKind>(kind), stage, microbatch};
                sample.set_task_ms(task, *rc::gen::inRange(0, 3));
                sample.set_message_ms(task, *rc::gen::inRange(0, 3));
            }
        }
    }
    return sample;
}

/// Up to 8 ranks, 2 chunks (any, or V, placement) and 12 microbatches, any limits from 1.
inline RandomCase random_case(const std::vector<std::string>& arbiters) {
    const int ranks = *rc::gen::inRange(1, 9);
    const int chunks = *rc::gen::element(1, 1, 2);
    std::vector<int> rank_of_stage;
    const bool v = *rc::gen::arbitrary<bool>();
    for (int stage = 0; stage < ranks * chunks; ++stage) {
        const int position = stage % ranks;
        rank_of_stage.push_back(v && stage / ranks == 1 ? ranks - 1 - position : position);
    }
    const Pipeline pipeline{.placement = Placement(rank_of_stage),
                            .microbatches = *rc::gen::inRange(1, 13),
                            .split_weight = *rc::gen::arbitrary<bool>()};
    const auto limits = *rc::gen::container<std::vector<int>>(ranks, rc::gen::inRange(1, 7));
    const std::string hint =
        chunks == 1 ? *rc::gen::element<std::string>("1f1b", "gpipe") : "gpipe";
    return {pipeline,
            {.arbiter = *rc::gen::elementOf(arbiters),
             .hint = make_hint(hint, pipeline),
             .limits = limits,
             .deterministic = *rc::gen::arbitrary<bool>()},
            random_sample(pipeline)};
}

inline const std::vector<std::string>& readiness_first() {
    static const std::vector<std::string> names = {"bf", "fb", "b-priority", "f-priority", "order"};
    return names;
}

}  // namespace rrfp
