// High water is the most that was held at once since the last reset, entries and bytes apart.

#include "runtime/core/metrics.h"

#include <gtest/gtest.h>

namespace rrfp {
namespace {

TEST(Occupancy, KeepsItsHighWater) {
    Occupancy buffer;
    buffer.add(100);
    buffer.remove(100);
    buffer.add(10);
    buffer.add(10);
    EXPECT_EQ(buffer.entries(), 2);
    EXPECT_EQ(buffer.high_water(), 2);
    EXPECT_EQ(buffer.bytes_high_water(), 100);
    buffer.remove(10);
    buffer.reset_high_water();
    EXPECT_EQ(buffer.high_water(), 1);
    EXPECT_EQ(buffer.bytes_high_water(), 10);
}

TEST(BufferKind, HasTheNameOfTheReport) {
    EXPECT_STREQ(name(BufferKind::forward_ready), "forward_ready");
    EXPECT_STREQ(name(BufferKind::backward_finished), "backward_finished");
}

}  // namespace
}  // namespace rrfp
