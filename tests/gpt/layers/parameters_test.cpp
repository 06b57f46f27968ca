// The norm that clips is that of all parameters of all ranks, not of each rank's own.
#include "adapters/gpt/layers/parameters.h"

#include <cmath>

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include "adapters/jobs/training/iteration_end.h"

namespace rrfp {
namespace {

TEST(ParameterListTest, R09GradientsThreeAndFourOnTwoRanksAreClippedByFive) {
    ParameterList first(0);
    ParameterList second(0);
    first.constant("first", {1}, 0).mutable_grad().fill_(3);
    second.constant("second", {1}, 0).mutable_grad().fill_(4);
    const double norm = std::sqrt(first.gradient_square_sum() + second.gradient_square_sum());
    EXPECT_DOUBLE_EQ(norm, 5);
    const double factor = clip_factor(norm, 1);
    EXPECT_NEAR(3 * factor, 0.6, 1e-6);
    EXPECT_NEAR(4 * factor, 0.8, 1e-6);
}

}  // namespace
}  // namespace rrfp
