// Guards: a proposal leaves no trace until it is committed, and one for "when the running task has
// ended" counts that task's release.

#include <stdexcept>

#include <gtest/gtest.h>

#include "runtime/core/schedule_options.h"

namespace rrfp {
namespace {

constexpr Task f0{TaskKind::forward, 0, 0};
constexpr Task f1{TaskKind::forward, 0, 1};
constexpr Task b0{TaskKind::backward, 0, 0};

std::unique_ptr<Dispatcher> first_of_two(int limit) {
    const Pipeline pipeline{.placement = Placement::loop(2), .microbatches = 4};
    auto made = make_dispatcher(pipeline, 0, {.arbiter = "bf", .hint = {}, .limits = {limit, 1}});
    made->begin_iteration();
    return made;
}

TEST(DispatcherHalves, AProposalLeavesNoTrace) {
    const auto dispatcher = first_of_two(4);
    EXPECT_EQ(dispatcher->propose(), std::nullopt);
    EXPECT_FALSE(dispatcher->state().waited());
    dispatcher->ready(f0);
    dispatcher->ready(f1);
    EXPECT_EQ(dispatcher->propose(), f0);
    EXPECT_EQ(dispatcher->propose(), f0);
    EXPECT_EQ(dispatcher->state().in_flight(), 0);
    dispatcher->commit(f1);  // what another rank chose
    EXPECT_EQ(dispatcher->propose(), f0);
    EXPECT_EQ(dispatcher->state().in_flight(), 1);
    EXPECT_THROW(dispatcher->commit(f1), std::logic_error);
}

TEST(DispatcherHalves, AProposalForLaterCountsTheRunningTasksRelease) {
    const auto dispatcher = first_of_two(1);
    dispatcher->ready(f0);
    dispatcher->ready(f1);
    ASSERT_EQ(dispatcher->choose(), f0);
    EXPECT_EQ(dispatcher->propose_after(f0), std::nullopt);  // a forward releases nothing
    dispatcher->completed(f0, 1);
    dispatcher->ready(b0);
    ASSERT_EQ(dispatcher->choose(), b0);
    EXPECT_EQ(dispatcher->propose(), std::nullopt);
    EXPECT_FALSE(dispatcher->admits(f1));
    EXPECT_EQ(dispatcher->propose_after(b0), f1);
    EXPECT_EQ(dispatcher->state().in_flight(), 1);
    dispatcher->completed(b0, 1);
    EXPECT_TRUE(dispatcher->admits(f1));
}

}  // namespace
}  // namespace rrfp
