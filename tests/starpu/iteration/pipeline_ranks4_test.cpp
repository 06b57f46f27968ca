// Guards: whatever the arbiter, limits, placement and delays of messages, an iteration calls every
// task of every rank exactly once, with the values that its predecessors made; D stays within the
// limit, the four buffers within theirs, and a fixed order is kept exactly.

#include <gtest/gtest.h>

#include "runtime/core/submission_window.h"
#include "runtime/starpu/pipeline_runner.h"
#include "tests/starpu/checked_pipeline.h"
#include "tests/starpu/test_runtime.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;

struct Case {
    Pipeline pipeline;
    ScheduleOptions schedule;
    double delay_ms = 0;
    int iterations = 3;
};

ScheduleOptions fixed_1f1b(const Pipeline& pipeline) {
    ScheduleOptions options = equal_limits(pipeline, "fixed", pipeline.microbatches);
    const int ranks = pipeline.placement.ranks();
    for (int r = 0; r < ranks; ++r) {
        options.hint[r] = one_f_one_b(ranks, r, pipeline.microbatches, pipeline.split_weight);
    }
    return options;
}

std::vector<RankIteration> run(const Case& c) {
    const int rank = TestRuntime::get().rank();
    CheckedStages stages(c.pipeline);
    PipelineRunner runner(TestRuntime::get(), c.pipeline,
                          make_dispatcher(c.pipeline, rank, c.schedule), std::ref(stages),
                          {.window = submission_window(c.pipeline, c.schedule),
                           .message_delay = random_delays(c.delay_ms),
                           .world_ranks = {}});
    std::vector<RankIteration> results;
    for (int i = 0; i < c.iterations; ++i)
        results.push_back(runner.run(static_cast<std::uint64_t>(i)));
    EXPECT_EQ(stages.calls(), static_cast<std::size_t>(c.pipeline.task_count(rank) * c.iterations));
    return results;
}

void expect_bounds(const RankIteration& result, int limit, int limit_at_first_rank) {
    EXPECT_LE(result.in_flight_high_water, limit);
    for (int kind = 0; kind < buffer_kinds; ++kind) {
        EXPECT_LE(result.buffers[kind].high_water(), limit_at_first_rank)
            << name(static_cast<BufferKind>(kind));
        EXPECT_EQ(result.buffers[kind].entries(), 0) << name(static_cast<BufferKind>(kind));
    }
}

class PipelineRuns : public ::testing::Test {
  protected:
    void TearDown() override { meet(); }
    Pipeline loop(int microbatches, bool split = false, int chunks = 1) const {
        return {.placement = Placement::loop(TestRuntime::get().ranks(), chunks),
                .microbatches = microbatches,
                .split_weight = split};
    }
};

TEST_F(PipelineRuns, KeepAFixedOrderExactly) {
    const Pipeline pipeline = loop(9);
    const ScheduleOptions options = fixed_1f1b(pipeline);
    for (const double delay : {0.0, 1.0}) {
        for (const RankIteration& result : run({pipeline, options, delay})) {
            std::vector<Task> order;
            for (const TaskRecord& record : result.tasks) order.push_back(record.task);
            EXPECT_EQ(order, options.hint[TestRuntime::get().rank()]);
        }
    }
}

TEST_F(PipelineRuns, StayWithinLimitsUnderEveryArbiterAndDelays) {
    const Pipeline pipeline = loop(8);
    for (const std::string& arbiter : arbiter_names()) {
        if (arbiter == "fixed") continue;
        for (const int limit : {1, 2, 5, 32}) {
            SCOPED_TRACE(arbiter + ", limit " + std::to_string(limit));
            for (const auto& result :
                 run({pipeline, equal_limits(pipeline, arbiter, limit), 0.7})) {
                expect_bounds(result, limit, limit);
            }
        }
    }
}

TEST_F(PipelineRuns, StayWithinFallingLimitsInMicrobatchOrder) {
    const Pipeline pipeline = loop(10);
    ScheduleOptions options = equal_limits(pipeline, "bf", 1);
    options.limits = {4, 3, 2, 1};
    options.deterministic = true;
    for (const RankIteration& result : run({pipeline, options, 1.0})) {
        expect_bounds(result, options.limits[TestRuntime::get().rank()], 4);
        int next = 0;
        for (const TaskRecord& record : result.tasks) {
            if (record.task.kind != TaskKind::backward) continue;
            EXPECT_EQ(record.task.microbatch, next++);
        }
    }
}

// No shape is announced: each message travels with its own, and is matched by what it is.
TEST_F(PipelineRuns, R03ArriveWholeWhenMicrobatchesDifferInLengthAndOvertake) {
    const Pipeline pipeline = loop(10);
    for (const double delay : {0.0, 3.0}) run({pipeline, equal_limits(pipeline, "bf", 4), delay});
}

TEST_F(PipelineRuns, EndWithFewMicrobatches) {
    for (const int microbatches : {1, 2, 3}) {
        const Pipeline pipeline = loop(microbatches);
        run({pipeline, fixed_1f1b(pipeline)});
        run({pipeline, equal_limits(pipeline, "bf", 1), 0.5});
    }
}

TEST_F(PipelineRuns, SplitTheBackward) {
    const Pipeline pipeline = loop(7, true);
    run({pipeline, fixed_1f1b(pipeline)});
    for (const int limit : {1, 3}) {
        for (const auto& result : run({pipeline, equal_limits(pipeline, "bf", limit), 0.5})) {
            EXPECT_LE(result.in_flight_high_water, limit);
        }
    }
}

TEST_F(PipelineRuns, PassForwardsAlone) {
    Pipeline pipeline = loop(7);
    pipeline.forward_only = true;
    ScheduleOptions options{.arbiter = "f-priority", .hint = {}, .limits = {2, 2, 2, 2}};
    for (const RankIteration& result : run({pipeline, options, 0.5})) {
        EXPECT_EQ(result.tasks.size(), 7U);
        EXPECT_EQ(result.buffers[0].entries(), 0);
    }
}

TEST_F(PipelineRuns, HoldSeveralStagesOnARank) {
    const Pipeline pipeline = loop(6, false, 2);
    for (const double delay : {0.0, 0.5}) run({pipeline, equal_limits(pipeline, "bf", 32), delay});
}

TEST_F(PipelineRuns, HandResultsOnInsideARank) {
    // Stages 1 and 2, and 5 and 6, are neighbours on one rank; rank 0 holds neither end.
    const Pipeline pipeline{.placement = Placement({1, 2, 2, 0, 3, 1, 1, 3}), .microbatches = 6};
    for (const bool split : {false, true}) {
        Pipeline variant = pipeline;
        variant.split_weight = split;
        run({variant, equal_limits(variant, "bf", 32), 0.5});
    }
}

TEST_F(PipelineRuns, NeedNoMessageOnOneRank) {
    const int rank = TestRuntime::get().rank();
    const Pipeline pipeline{.placement = Placement::loop(1, 2), .microbatches = 5};
    CheckedStages stages(pipeline);
    PipelineRunner runner(
        TestRuntime::get(), pipeline, make_dispatcher(pipeline, 0, equal_limits(pipeline, "bf", 5)),
        std::ref(stages), {.window = 0, .message_delay = {}, .world_ranks = {rank}});
    const RankIteration result = runner.run(0);
    EXPECT_EQ(stages.calls(), 20U);
    EXPECT_EQ(result.tasks.size(), 20U);
    EXPECT_EQ(result.buffers[1].high_water(), 0);
    EXPECT_EQ(result.buffers[3].high_water(), 0);
}

}  // namespace
}  // namespace rrfp
