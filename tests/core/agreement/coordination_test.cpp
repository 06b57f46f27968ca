// Guards: coordination time runs from the later of "ready everywhere" and the worker's first
// question, never before, and never below zero.

#include "runtime/core/agreement/coordination.h"

#include <gtest/gtest.h>

namespace rrfp {
namespace {

TEST(Coordination, RunsFromTheLaterOfReadinessAndQuestion) {
    Coordination coordination;
    coordination.asked(10, false);
    coordination.asked(12, true);  // asks again; the first question counts
    coordination.decided(11);
    EXPECT_DOUBLE_EQ(coordination.dispatched(14), 3);
    coordination.asked(20, true);
    EXPECT_TRUE(coordination.ahead());
    coordination.decided(15);
    EXPECT_DOUBLE_EQ(coordination.dispatched(20.5), 0.5);
    EXPECT_DOUBLE_EQ(coordination.total_ms(), 3.5);
}

TEST(Coordination, AddsNothingWhereItIsUnknown) {
    Coordination coordination;
    coordination.asked(1, false);
    coordination.decided(std::nullopt);
    EXPECT_EQ(coordination.dispatched(9), 0);
    EXPECT_FALSE(coordination.waiting());
}

TEST(Coordination, IsNeverNegative) {
    Coordination coordination;
    coordination.asked(1, false);
    coordination.decided(5);  // another rank's clock, a little ahead
    EXPECT_EQ(coordination.dispatched(4), 0);
}

}  // namespace
}  // namespace rrfp
