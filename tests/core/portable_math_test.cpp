// Logarithm and exponential agree with the C library to a few units in the last place.

#include "runtime/core/portable_math.h"

#include <cmath>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

TEST(PortableMath, LogarithmAgreesWithTheLibrary) {
    for (double x = 1e-300; x < 1e300; x *= 1.37) {
        const double expected = std::log(x);
        EXPECT_NEAR(portable_log(x), expected, 4e-16 * std::max(1.0, std::abs(expected))) << x;
    }
    EXPECT_EQ(portable_log(1), 0);
}

TEST(PortableMath, LogarithmNearOneKeepsItsDigits) {
    for (double offset = 1e-12; offset < 0.3; offset *= 1.7) {
        EXPECT_NEAR(portable_log(1 + offset) / std::log(1 + offset), 1, 1e-15) << offset;
    }
}

TEST(PortableMath, ExponentialAgreesWithTheLibrary) {
    for (double x = -690; x < 690; x += 0.7321) {
        EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 2e-15) << x;
    }
    EXPECT_EQ(portable_exp(0), 1);
}

}  // namespace
}  // namespace rrfp
