// Guards: a product of sizes is right or there is none.

#include "runtime/core/checked_math.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

TEST(CheckedMath, ProductsThatFitAreRight) {
    EXPECT_EQ(checked_product<int>({}), 1);
    EXPECT_EQ(checked_product({4096, 4096, 4}), 67'108'864);
    EXPECT_EQ(checked_product<std::int64_t>({std::int64_t{1} << 31, 1 << 30, 3}), 3LL << 61);
    EXPECT_EQ(checked_product({7, 0, std::numeric_limits<int>::max()}), 0);
}

TEST(CheckedMath, OthersThereAreNone) {
    EXPECT_FALSE(checked_product({4096, 4096, 4096}));
    EXPECT_FALSE(checked_product<std::int64_t>({std::int64_t{1} << 62, 2}));
    EXPECT_FALSE(checked_product({-1, -1}));
    EXPECT_FALSE(checked_product({0, -1}));
}

}  // namespace
}  // namespace rrfp
