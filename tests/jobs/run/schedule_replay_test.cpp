// The fixed order is offered only within the limits that were chosen, and never beside itself.
#include "adapters/jobs/run/schedule_replay.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "adapters/plan/make_plan.h"
#include "adapters/schedules/registry.h"

namespace rrfp {
namespace {

Pipeline pipeline() { return {.placement = Placement::loop(4), .microbatches = 8}; }

ScheduleOptions chosen(std::vector<int> limits) {
    return {.arbiter = "bf", .limits = std::move(limits)};
}

TEST(ScheduleReplay, OffersTheFixedOrderWithinTheLimits) {
    const HintOrder hint = make_hint("1f1b", pipeline());
    const auto fixed = fixed_within(pipeline(), chosen({4, 3, 2, 1}), hint);
    ASSERT_TRUE(fixed);
    EXPECT_EQ(fixed->arbiter, "fixed");
    EXPECT_EQ(fixed->hint, hint);
    EXPECT_FALSE(fixed_within(pipeline(), chosen({4, 3, 1, 1}), hint));
}

PlanRequest request(const char* arbiter) {
    PlanRequest made;
    made.pipeline_ranks = 4;
    made.microbatches = 8;
    made.arbiter = arbiter;
    return made;
}

TEST(ScheduleReplay, MeasuresThreeIterationsAfterTheFirst) {
    const Plan plan = make_plan(request("bf"));
    ScheduleReplay replay(plan);
    for (int iteration = 0; iteration < 3; ++iteration) {
        replay.add(iteration, {});
        EXPECT_FALSE(replay.due()) << iteration;
    }
    replay.add(3, {});
    EXPECT_TRUE(replay.due());
}

TEST(ScheduleReplay, AFixedRunHasNothingToJudge) {
    const Plan plan = make_plan(request("fixed"));
    ScheduleReplay replay(plan);
    for (int iteration = 0; iteration < 6; ++iteration) replay.add(iteration, {});
    EXPECT_FALSE(replay.due());
    EXPECT_FALSE(replay.judge());
}

}  // namespace
}  // namespace rrfp
