// Split or not, a backward gives the same gradients bit for bit: of inputs at B, of weights at W.
#include "adapters/autograd/backward_split.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "adapters/autograd/dlpack_bridge.h"
#include "tests/autograd/small_stages.h"
#include "tests/autograd/split_outcomes.h"

namespace rrfp::test {
namespace {

TEST(BackwardSplitTest, R10AWeightUsedTwiceIsCountedOnceForEachUse) {
    const at::Tensor weight = at::tensor({1.0f, 0.5f, -1.0f, 2.0f}).view({2, 2});
    weight.set_requires_grad(true);
    const Function first = [](const Microbatch&, const Values&) {
        return Values{at::tensor({1.0f, 2.0f}).view({1, 2})};
    };
    const Function last = [&](const Microbatch&, const Values& inputs) {
        return Values{inputs[0].mm(weight).mm(weight).sum()};
    };
    for (const bool split : {false, true}) {
        weight.mutable_grad().reset();
        AutogradProgram program = program_of({first, last}, {.split_weight = split});
        const TensorList x = program.forward(at_task(TaskKind::forward, 0), {});
        const TensorList loss = program.forward(at_task(TaskKind::forward, 1), x);
        EXPECT_EQ(program.loss_sum(), 3);
        const Values dx = to_torch(program.backward(at_task(TaskKind::backward, 1), x, loss));
        EXPECT_TRUE(dx[0].equal(at::tensor({2.0f, 0.5f}).view({1, 2})));
        if (split) {
            EXPECT_FALSE(weight.grad().defined());
            program.weight_gradient(at_task(TaskKind::weight_gradient, 1), x, loss);
        }
        EXPECT_TRUE(weight.grad().equal(at::tensor({0.5f, 0.0f, 7.5f, 6.5f}).view({2, 2})));
    }
}

TEST(BackwardSplitTest, R10WeightsUsedManyTimesSumInTheSameOrder) {
    const at::Tensor square = parameter({5, 5}, 1);
    const at::Tensor first = parameter({4, 5}, 2);
    const Function middle = [&](const Microbatch&, const Values& inputs) {
        at::Tensor x = inputs[0];
        for (int i = 0; i < 4; ++i) x = at::gelu(x.mm(square)).add(x);
        return Values{x.add(square.sum(0))};  // once more, not along the way of the input
    };
    expect_split_changes_no_bit({source(first), middle, mean_square}, {square, first});
}

TEST(BackwardSplitTest, OperatorsWithSeveralResultsAndStagesWithSeveralOutputs) {
    const at::Tensor first = parameter({4, 6}, 3);
    const at::Tensor gain = parameter({6}, 4);
    const at::Tensor offset = parameter({6}, 5);
    const at::Tensor projection = parameter({6, 6}, 6);
    const Function middle = [&](const Microbatch&, const Values& inputs) {
        const at::Tensor normal = at::layer_norm(inputs[0], {6}, gain, offset);
        const Values parts = at::linear(normal, projection, offset).unbind(0);
        // The third part reaches no output; the second reaches both.
        return Values{at::stack({parts[0], parts[1]}), parts[1].mul(gain), parts[3]};
    };
    const Function last = [&](const Microbatch&, const Values& inputs) {
        return Values{inputs[0].mul(inputs[1]).sum().add(inputs[2].square().sum())};
    };
    expect_split_changes_no_bit({source(first), middle, last}, {first, gain, offset, projection});
}

TEST(BackwardSplitTest, OutputsThatLeadToParametersAloneOrToNothing) {
    const at::Tensor first = parameter({2, 3}, 7);
    const at::Tensor side = parameter({2, 3}, 8);
    const Function middle = [&](const Microbatch&, const Values& inputs) {
        return Values{inputs[0], side.mul(2), at::ones({2, 3})};
    };
    const Function last = [&](const Microbatch&, const Values& inputs) {
        return Values{inputs[0].mul(inputs[1]).mul(inputs[2]).sum()};
    };
    expect_split_changes_no_bit({source(first), middle, last}, {first, side});
}

TEST(BackwardSplitTest, InPlaceOperationsOnViews) {
    const at::Tensor first = parameter({3, 4}, 9);
    const at::Tensor scale = parameter({4}, 10);
    const Function middle = [&](const Microbatch&, const Values& inputs) {
        at::Tensor x = inputs[0].mul(2);
        x.select(0, 1).mul_(scale);
        return Values{x.mul(scale)};
    };
    expect_split_changes_no_bit({source(first), middle, mean_square}, {first, scale});
}

TEST(BackwardSplitTest, R05FrozenStagesPassGradientsOnAndStayUnchanged) {
    for (const int frozen : {0b001, 0b010, 0b011, 0b111}) {
        const Values weights = {parameter({2, 3}, 1, !(frozen & 1)),
                                parameter({2, 3}, 2, !(frozen & 2)),
                                parameter({2, 3}, 3, !(frozen & 4)), parameter({2, 3}, 4)};
        const auto times = [](const at::Tensor& weight) -> Function {
            return [weight](const Microbatch&, const Values& inputs) {
                return Values{inputs[0].mul(weight)};
            };
        };
        const Function last = [&](const Microbatch&, const Values& inputs) {
            return Values{inputs[0].mul(weights[2]).sum()};
        };
        const std::vector<Function> stages = {source(weights[0]), times(weights[1]), last};
        expect_split_changes_no_bit(stages, weights);
        const Outcome split = outcome(stages, weights, {.split_weight = true});
        for (int i = 0; i < 3; ++i) EXPECT_EQ(split.weights[i].defined(), !(frozen >> i & 1));
        EXPECT_FALSE(split.weights[3].defined());  // never used
        EXPECT_TRUE(split.inputs[1][0].defined());
    }
}

}  // namespace
}  // namespace rrfp::test
