// AdamW is the published algorithm, step by step, with weight decay on matrices alone.
#include "adapters/gpt/optimizer/adamw.h"

#include <cmath>

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

/// The algorithm on one number, written from the paper (its algorithm 2), in double precision.
struct ScalarAdamW {
    double value;
    AdamWOptions options;
    bool decays;
    double first = 0, second = 0;
    int steps = 0;

    void step(double gradient, double rate) {
        ++steps;
        first = options.beta1 * first + (1 - options.beta1) * gradient;
        second = options.beta2 * second + (1 - options.beta2) * gradient * gradient;
        const double m = first / (1 - std::pow(options.beta1, steps));
        const double v = second / (1 - std::pow(options.beta2, steps));
        value -= rate * (m / (std::sqrt(v) + options.epsilon) +
                         (decays ? options.weight_decay * value : 0));
    }
};

TEST(AdamWTest, FollowsTheAlgorithm) {
    ParameterList parameters(0);
    const at::Tensor matrix = parameters.constant("matrix", {2, 2}, 1.5);
    const at::Tensor gain = parameters.constant("gain", {2}, 1.5);
    const AdamWOptions options{.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3, .weight_decay = 0.3};
    AdamW optimizer(parameters.all(), options);
    ScalarAdamW matrix_reference{1.5, options, true};
    ScalarAdamW gain_reference{1.5, options, false};
    for (int i = 0; i < 6; ++i) {
        const double gradient = std::sin(i + 1.0);
        const double rate = 0.1 / (i + 1);
        matrix.grad().fill_(4 * gradient);
        gain.grad().fill_(4 * gradient);
        optimizer.step(rate, 0.25);
        matrix_reference.step(gradient, rate);
        gain_reference.step(gradient, rate);
        EXPECT_NEAR(matrix[1][0].item<double>(), matrix_reference.value, 1e-6);
        EXPECT_NEAR(gain[1].item<double>(), gain_reference.value, 1e-6);
    }
    EXPECT_EQ(optimizer.steps(), 6u);
    EXPECT_EQ(matrix.grad()[0][0].item<float>(), static_cast<float>(4 * std::sin(6.0)));
}

TEST(AdamWTest, R09GradientsAreScaledByTheFactorOfTheWholeModel) {
    // Two ranks with gradients 3 and 4 and a norm of 5: the first step moves both alike, and what
    // the moments hold is 0.6 and 0.8.
    for (const double gradient : {3.0, 4.0}) {
        ParameterList parameters(0);
        const at::Tensor value = parameters.constant("value", {1}, 0);
        AdamW optimizer(parameters.all(), {.beta1 = 0, .weight_decay = 0});
        value.grad().fill_(gradient);
        optimizer.step(1, 1.0 / 5);
        EXPECT_FLOAT_EQ(optimizer.moments()[0].first.item<float>(),
                        static_cast<float>(gradient / 5));
    }
}

TEST(ParameterListTest, FirstValuesHaveTheirDeviationAndDependOnSeedAndNameAlone) {
    ParameterList parameters(5);
    const at::Tensor one = parameters.normal("one", {200, 100}, 0.02);
    const at::Tensor two = parameters.normal("two", {200, 100}, 0.02);
    EXPECT_NEAR(one.std().item<double>(), 0.02, 0.0005);
    EXPECT_NEAR(one.mean().item<double>(), 0, 0.0005);
    EXPECT_FALSE(one.equal(two));
    ParameterList again(5);
    EXPECT_TRUE(again.normal("two", {200, 100}, 0.02).equal(two));
    ParameterList other(6);
    EXPECT_FALSE(other.normal("two", {200, 100}, 0.02).equal(two));
}

}  // namespace
}  // namespace rrfp
