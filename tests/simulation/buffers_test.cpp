// The four buffers hold what the runtime holds, from a worked example: a received activation until
// its microbatch is released, a result until its message has arrived.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulation/run_case.h"

namespace rrfp {
namespace {

using ::testing::ElementsAre;

std::vector<std::int64_t> high_water(const RankIteration& rank) {
    std::vector<std::int64_t> entries;
    for (const Occupancy& buffer : rank.buffers) {
        entries.push_back(buffer.high_water());
    }
    return entries;
}

SimulationResult run_fixed(const Pipeline& pipeline, double message_ms) {
    Durations sample =
        Durations::draw(pipeline, {.forward_ms = 1, .backward_ms = 1, .weight_ms = 0.5}, {}, 0);
    for (int stage = 0; stage <= pipeline.last_stage(); ++stage) {
        for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
            sample.set_message_ms({TaskKind::forward, stage, microbatch}, message_ms);
            sample.set_message_ms({TaskKind::backward, stage, microbatch}, message_ms);
        }
    }
    return run_case(
        pipeline,
        {.arbiter = "fixed", .hint = make_hint("gpipe", pipeline), .limits = flat(pipeline, 100)},
        sample, {.message_bytes = 100});
}

// Order: forward_ready, forward_finished, backward_ready, backward_finished.

TEST(Buffers, GPipeHoldsEveryMicrobatch) {
    const auto result = run_fixed(one_stage_a_rank(2, 3), 0.5);
    EXPECT_THAT(high_water(result.ranks[0]), ElementsAre(0, 1, 1, 0));
    EXPECT_THAT(high_water(result.ranks[1]), ElementsAre(3, 0, 3, 1));
    EXPECT_EQ(result.ranks[1].buffers[0].bytes_high_water(), 300);
}

TEST(Buffers, SlowMessagesStayInTheFinishedBuffers) {
    const auto result = run_fixed(one_stage_a_rank(2, 3), 10);
    EXPECT_THAT(high_water(result.ranks[0]), ElementsAre(0, 3, 1, 0));
    EXPECT_THAT(high_water(result.ranks[1]), ElementsAre(3, 0, 3, 3));
}

TEST(Buffers, AHopInsideARankIsNoMessage) {
    const Pipeline v{.placement = Placement({0, 1, 1, 0}), .microbatches = 1};
    const auto result = run_fixed(v, 0.5);
    // Rank 0 holds stages 0 and 3; stage 3 receives an activation and is the last.
    EXPECT_THAT(high_water(result.ranks[0]), ElementsAre(1, 1, 1, 1));
    // Rank 1 holds stages 1 and 2: one received activation and one handed over, both kept until
    // their backward; its gradients follow each other.
    EXPECT_THAT(high_water(result.ranks[1]), ElementsAre(2, 1, 1, 1));
}

TEST(Buffers, ASplitBackwardHoldsInputsUntilTheWeightGradient) {
    Pipeline pipeline = one_stage_a_rank(2, 2);
    pipeline.split_weight = true;
    Durations sample(pipeline);
    const HintOrder late = {{{TaskKind::forward, 0, 0},
                             {TaskKind::forward, 0, 1},
                             {TaskKind::backward, 0, 0},
                             {TaskKind::backward, 0, 1},
                             {TaskKind::weight_gradient, 0, 0},
                             {TaskKind::weight_gradient, 0, 1}},
                            {{TaskKind::forward, 1, 0},
                             {TaskKind::backward, 1, 0},
                             {TaskKind::forward, 1, 1},
                             {TaskKind::backward, 1, 1},
                             {TaskKind::weight_gradient, 1, 0},
                             {TaskKind::weight_gradient, 1, 1}}};
    for (int stage = 0; stage < 2; ++stage) {
        for (int microbatch = 0; microbatch < 2; ++microbatch) {
            for (int kind = 0; kind < task_kinds; ++kind) {
                sample.set_task_ms({static_cast<TaskKind>(kind), stage, microbatch}, 1);
            }
        }
    }
    const auto result =
        run_case(pipeline, {.arbiter = "fixed", .hint = late, .limits = {2, 2}}, sample);
    EXPECT_THAT(high_water(result.ranks[1]), ElementsAre(2, 0, 2, 1));
    EXPECT_EQ(high_water(result.ranks[0])[2], 2);
}

}  // namespace
}  // namespace rrfp
