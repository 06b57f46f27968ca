// Gradients in buckets are the same gradients: every one whole in one bucket, in order, in place.
#include "adapters/gpt/optimizer/gradient_buckets.h"

#include <ATen/core/Tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

std::vector<std::int64_t> sizes(const std::vector<at::Tensor>& buckets) {
    std::vector<std::int64_t> result;
    for (const at::Tensor& bucket : buckets) result.push_back(bucket.numel());
    return result;
}

ParameterList list_of(const std::vector<std::vector<std::int64_t>>& shapes) {
    ParameterList parameters(1);
    int number = 0;
    for (const auto& shape : shapes) {
        parameters.constant(std::string(1, static_cast<char>('a' + number)), shape, number);
        parameters.all().back().value.grad().fill_(number);
        ++number;
    }
    return parameters;
}

TEST(GradientBucketsTest, AreFilledInOrderUpToTheirSizeAndALargeGradientStandsAlone) {
    using ::testing::ElementsAre;
    EXPECT_THAT(sizes(bucket_gradients(list_of({{2, 3}, {4}, {3}, {50}, {1}}).all(), 10)),
                ElementsAre(10, 3, 50, 1));
    EXPECT_THAT(sizes(bucket_gradients(list_of({{2, 3}, {4}}).all(), 1)), ElementsAre(6, 4));
    EXPECT_TRUE(bucket_gradients({}, 10).empty());
}

TEST(GradientBucketsTest, GradientsKeepTheirValuesAndLiveInTheBucket) {
    const ParameterList parameters = list_of({{2, 3}, {4}});
    std::vector<at::Tensor> buckets = bucket_gradients(parameters.all(), 100);
    EXPECT_EQ(buckets.at(0).sum().item<float>(), 4);
    buckets[0].mul_(2);
    EXPECT_EQ(parameters.all()[1].value.grad().sum().item<float>(), 8);
    parameters.all()[0].value.mul(3).sum().backward();  // accumulates in place
    EXPECT_EQ(buckets[0].sum().item<float>(), 8 + 6 * 3);
}

}  // namespace
}  // namespace rrfp
