// Guards: a group of two decides ahead where it can, sleeps while it waits, elects its protocol by
// who shares memory, and refuses members that cannot agree.

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include <gtest/gtest.h>

#include "runtime/starpu/agreement/group_agreement.h"
#include "runtime/starpu/agreement/member_group.h"
#include "tests/starpu/group_pipeline.h"
#include "tests/support/processor_time.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;

class TwoMembers : public ::testing::TestWithParam<Way> {
  protected:
    void TearDown() override { meet(); }
    const Pipeline pipeline_{.placement = Placement::loop(1), .microbatches = 12};
};

TEST_P(TwoMembers, DispatchEveryTaskByOneDecision) {
    const auto results =
        run_group(pipeline_, 2, equal_limits(pipeline_, "bf", 4), GetParam(), 1.0, 3);
    auto ahead = results.front().agreement.ahead;
    for (const RankIteration& result : results) {
        EXPECT_LE(result.agreement.ahead, result.agreement.decisions);
        EXPECT_GT(result.agreement.messages, 0);
        ahead = std::max(ahead, result.agreement.ahead);
    }
    // All forwards are ready early, and each backward follows from its forward. How many it comes
    // to depends on when the machine lets the members run.
    if (GetParam().protocol == AgreementProtocol::board) {
        EXPECT_GT(ahead, 0);
    }
}

TEST_P(TwoMembers, SleepWhileTheOtherComputes) {
    // Member 0 is slow, so member 1 waits for most of the iteration; tasks here hold no
    // collectives, hence 1 may be a task ahead, not more.
    const GroupPipeline group(pipeline_, 2);
    CheckedStages stages(pipeline_);
    const ScheduleOptions schedule = equal_limits(pipeline_, "bf", 4);
    const bool slow = group.member() == 0;
    const TaskBody body = [&](const Task& task, std::uint64_t iteration, const TensorList& inputs,
                              const TensorList& gradients) {
        if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(40));
        return stages(task, iteration, inputs, gradients);
    };
    PipelineRunner runner(TestRuntime::get(), pipeline_, make_dispatcher(pipeline_, 0, schedule),
                          body, group.options(schedule, GetParam(), 0));
    meet();
    const ProcessorTime time(ProcessorTime::Of::process);
    group.expect_one_order(runner.run(0));
    // 24 tasks of 40 ms; between nodes a waiting member looks 2000 times a second.
    EXPECT_LT(time.used_s(), GetParam().apart ? 0.4 : 0.15);
}

INSTANTIATE_TEST_SUITE_P(Protocols, TwoMembers, ::testing::ValuesIn(ways),
                         [](const auto& way) { return std::string(way.param.name); });

TEST(Election, PrefersSharedMemoryAndNeverPretends) {
    constexpr auto board = AgreementProtocol::board;
    constexpr auto allgather = AgreementProtocol::allgather;
    EXPECT_EQ(elect({}, true), board);
    EXPECT_EQ(elect({}, false), allgather);
    EXPECT_EQ(elect({.protocol = allgather}, true), allgather);
    EXPECT_THROW(elect({.protocol = board}, false), std::invalid_argument);
    EXPECT_EQ(elect({.local_choice = true}, true), board);
    EXPECT_THROW(elect({.local_choice = true}, false), std::invalid_argument);
    EXPECT_THROW(elect({.protocol = allgather, .local_choice = true}, true), std::invalid_argument);
}

TEST(Election, SeesWhoSharesMemory) {
    EXPECT_TRUE(MemberGroup({1, 0}).share_memory());
    EXPECT_FALSE(MemberGroup({0, 1}, true).share_memory());
    EXPECT_EQ(MemberGroup({1, 0}).member(), 1 - TestRuntime::get().rank());
    meet();
}

TEST(Members, AreDistinctRanksWithThisOneAmongThem) {
    const int own = TestRuntime::get().rank();
    for (const std::vector<int>& wrong :
         {std::vector{own, own}, std::vector{own, 7}, std::vector{own, -1}, std::vector{1 - own}}) {
        EXPECT_THROW(MemberGroup{wrong}, std::invalid_argument);
    }
}

TEST(Members, AloneAgreeWithNobody) {
    const Pipeline pipeline{.placement = Placement::loop(1), .microbatches = 2};
    const auto dispatcher = make_dispatcher(pipeline, 0, equal_limits(pipeline, "bf", 1));
    EXPECT_EQ(make_group_agreement({}, *dispatcher), nullptr);
    EXPECT_EQ(make_group_agreement({.members = {TestRuntime::get().rank()}}, *dispatcher), nullptr);
}

}  // namespace
}  // namespace rrfp
