// Guards, over real processes and both protocols: members of a group dispatch the same tasks in the
// same order, whatever their skew; every value is what its task should have read; D stays within
// the limit; every run ends.

#include "tests/starpu/group_pipeline.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;

class AgreeingRanks : public ::testing::TestWithParam<Way> {
  protected:
    void TearDown() override { meet(); }
};

TEST_P(AgreeingRanks, RunOneOrderInTwoStagesOfTwo) {
    const Pipeline pipeline{.placement = Placement::loop(2), .microbatches = 8};
    for (const std::string arbiter : {"bf", "b-priority", "f-priority", "order"}) {
        for (const int limit : {1, 3, 32}) {
            SCOPED_TRACE(arbiter + ", limit " + std::to_string(limit));
            run_group(pipeline, 2, equal_limits(pipeline, arbiter, limit), GetParam(), 0.7);
        }
    }
}

TEST_P(AgreeingRanks, RunOneOrderInAGroupOfFour) {
    for (const bool split : {false, true}) {
        const Pipeline pipeline{
            .placement = Placement::loop(1), .microbatches = 8, .split_weight = split};
        run_group(pipeline, 4, equal_limits(pipeline, "bf", 4), GetParam(), 0.7);
    }
}

TEST_P(AgreeingRanks, RunOneOrderOverSeveralStagesARank) {
    // `v`: the turn at the last rank is a hop inside it.
    for (const Placement& placement : {Placement::loop(2, 2), Placement({0, 1, 1, 0})}) {
        const Pipeline pipeline{.placement = placement, .microbatches = 6, .split_weight = true};
        run_group(pipeline, 2, equal_limits(pipeline, "bf", 3), GetParam(), 0.5);
    }
}

TEST_P(AgreeingRanks, RunOneOrderUnderFallingLimitsInMicrobatchOrder) {
    const Pipeline pipeline{.placement = Placement::loop(2), .microbatches = 8};
    ScheduleOptions schedule = equal_limits(pipeline, "bf", 1);
    schedule.limits = {2, 1};
    schedule.deterministic = true;
    run_group(pipeline, 2, schedule, GetParam(), 1.0);
}

TEST_P(AgreeingRanks, PassForwardsAloneBetweenIterations) {
    Pipeline pipeline{.placement = Placement::loop(2), .microbatches = 6};
    const ScheduleOptions schedule = equal_limits(pipeline, "bf", 4);
    run_group(pipeline, 2, schedule, GetParam(), 0.3);
    pipeline.forward_only = true;
    run_group(pipeline, 2, {.arbiter = "bf", .hint = {}, .limits = {4, 4}}, GetParam(), 0.3);
}

INSTANTIATE_TEST_SUITE_P(Protocols, AgreeingRanks, ::testing::ValuesIn(ways),
                         [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace rrfp
