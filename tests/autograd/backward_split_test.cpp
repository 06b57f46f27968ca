// Split or not, a backward gives the same gradients bit for bit: of inputs at B, of weights at W.
// Nothing that W does not need outlives B, and nothing outlives W.
#include "adapters/autograd/backward_split.h"

#include <optional>
#include <utility>

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

#include "adapters/autograd/dlpack_bridge.h"
#include "tests/autograd/function_program.h"

namespace rrfp::test {
namespace {

/// Values whose sums show in which order they were added.
at::Tensor uneven(std::vector<std::int64_t> shape, double salt) {
    std::int64_t count = 1;
    for (const std::int64_t length : shape) count *= length;
    return at::arange(count).to(at::kFloat).add(salt).mul(0.7310585).sin().view(shape);
}

at::Tensor parameter(std::vector<std::int64_t> shape, double salt, bool trains = true) {
    return uneven(std::move(shape), salt).set_requires_grad(trains);
}

struct Outcome {
    std::vector<Values> inputs;  // gradients of each stage's inputs, of the last microbatch
    Values weights;
};

constexpr int microbatches = 3;

/// Three microbatches through `functions`, and what `weights` have in the end.
Outcome outcome(const std::vector<Function>& functions, const Values& weights,
                AutogradOptions options) {
    for (const at::Tensor& weight : weights) weight.mutable_grad().reset();
    options.microbatches = microbatches;
    AutogradProgram program = program_of(functions, options);
    Outcome result;
    for (int m = 0; m < microbatches; ++m) {
        result.inputs = run(program, static_cast<int>(functions.size()), m, options.split_weight);
    }
    EXPECT_EQ(program.kept(), 0u);
    EXPECT_EQ(program.kept_for_weights().entries(), 0);
    for (const at::Tensor& weight : weights) {
        result.weights.push_back(weight.grad().defined() ? weight.grad().clone() : at::Tensor());
    }
    return result;
}

void expect_same(const Values& one, const Values& other) {
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_EQ(one[i].defined(), other[i].defined()) << i;
        if (one[i].defined()) {
            EXPECT_TRUE(one[i].equal(other[i])) << i;
        }
    }
}

void expect_split_changes_no_bit(const std::vector<Function>& functions, const Values& weights) {
    const Outcome whole = outcome(functions, weights, {});
    for (const bool recompute : {false, true}) {
        const Outcome split =
            outcome(functions, weights, {.recompute = recompute, .split_weight = true});
        expect_same(split.weights, whole.weights);
        for (std::size_t stage = 0; stage < functions.size(); ++stage) {
            expect_same(split.inputs[stage], whole.inputs[stage]);
        }
    }
}

Function source(const at::Tensor& weight) {
    return [weight](const Microbatch& microbatch, const Values&) {
        return Values{weight.mul(microbatch.index + 1)};
    };
}

Values mean_square(const Microbatch&, const Values& inputs) { return {inputs[0].square().mean()}; }

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

/// An identity that counts how often its gradient is computed, and how many have something saved.
class Counting : public torch::autograd::Node {
  public:
    Counting(torch::autograd::edge_list next, int& runs) : Node(std::move(next)), runs_(runs) {}
    ~Counting() override { release_variables(); }
    void release_variables() override { saving -= std::exchange(saves_, 0); }
    static inline int saving = 0;

  private:
    torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
        ++runs_;
        return gradients;
    }
    int& runs_;
    int saves_ = 1;
};

at::Tensor counted(const at::Tensor& input, int& runs) {
    at::Tensor value = input.detach();
    ++Counting::saving;
    torch::autograd::set_history(
        value, std::make_shared<Counting>(torch::autograd::collect_next_edges(input), runs));
    return value;
}

TEST(BackwardSplitTest, WhatWDoesNotNeedIsFreedAtBAndNothingRunsTwice) {
    const at::Tensor weight = parameter({3, 3}, 1);
    int towards_input = 0;
    int towards_weight = 0;
    const Function first = [](const Microbatch&, const Values&) {
        return Values{uneven({2, 3}, 0)};
    };
    const Function last = [&](const Microbatch&, const Values& inputs) {
        const at::Tensor x = counted(inputs[0], towards_input);
        return Values{counted(x.mm(counted(weight, towards_weight)), towards_input).sum()};
    };
    AutogradProgram program = program_of({first, last}, {.split_weight = true});
    const TensorList x = program.forward(at_task(TaskKind::forward, 0), {});
    const TensorList loss = program.forward(at_task(TaskKind::forward, 1), x);
    EXPECT_EQ(Counting::saving, 3);
    program.backward(at_task(TaskKind::backward, 1), x, loss);
    EXPECT_EQ(towards_input, 2);
    EXPECT_EQ(towards_weight, 0);
    EXPECT_EQ(Counting::saving, 1);
    program.weight_gradient(at_task(TaskKind::weight_gradient, 1), x, loss);
    EXPECT_EQ(towards_input, 2);
    EXPECT_EQ(towards_weight, 1);
    EXPECT_EQ(Counting::saving, 0);
}

TEST(BackwardSplitTest, BetweenBAndWTheInputsOfProductsLiveAndOtherActivationsDoNot) {
    const at::Tensor up = parameter({3, 3}, 1);
    const at::Tensor down = parameter({3, 3}, 2);
    std::optional<c10::weak_intrusive_ptr<at::TensorImpl>> product_input;
    std::optional<c10::weak_intrusive_ptr<at::TensorImpl>> other;
    const Function first = [](const Microbatch&, const Values&) {
        return Values{uneven({2, 3}, 0)};
    };
    const Function last = [&](const Microbatch&, const Values& inputs) {
        const at::Tensor wide = inputs[0].mm(up);
        const at::Tensor active = at::gelu(wide);
        other.emplace(wide.getIntrusivePtr());
        product_input.emplace(active.getIntrusivePtr());
        return Values{active.mm(down).sum()};
    };
    AutogradProgram program = program_of({first, last}, {.split_weight = true});
    const TensorList x = program.forward(at_task(TaskKind::forward, 0), {});
    const TensorList loss = program.forward(at_task(TaskKind::forward, 1), x);
    EXPECT_FALSE(other->expired() || product_input->expired());
    program.backward(at_task(TaskKind::backward, 1), x, loss);
    EXPECT_TRUE(other->expired());
    EXPECT_FALSE(product_input->expired());
    program.weight_gradient(at_task(TaskKind::weight_gradient, 1), x, loss);
    EXPECT_TRUE(product_input->expired());
}

TEST(BackwardSplitTest, WhatWHoldsIsCountedInEntriesAndBytes) {
    const at::Tensor up = parameter({3, 8}, 1);
    const at::Tensor down = parameter({8, 5}, 2);
    const Function first = [](const Microbatch&, const Values&) {
        return Values{uneven({2, 3}, 0)};
    };
    const Function pass = [](const Microbatch&, const Values& inputs) { return inputs; };
    const Function layers = [&](const Microbatch&, const Values& inputs) {
        return Values{at::gelu(inputs[0].mm(up)).mm(down)};
    };
    const Function last = [](const Microbatch&, const Values& inputs) {
        return Values{inputs[0].square().sum()};
    };
    for (const bool recompute : {false, true}) {
        AutogradProgram program =
            program_of({first, pass, layers, last}, {.recompute = recompute, .split_weight = true});
        for (int microbatch = 0; microbatch < 3; ++microbatch) run(program, 4, microbatch);
        EXPECT_EQ(program.kept_for_weights().entries(), 3 * 4);
        // Of `layers`: GELU's result, which the second product has saved, and the gradient that
        // enters the first. What enters the second was received, as the first's input was.
        const std::int64_t bytes = 3 * 2 * (2 * 8 * 4);
        EXPECT_EQ(program.kept_for_weights().bytes_high_water(), bytes);
        for (int stage = 0; stage < 4; ++stage) {
            for (int microbatch = 0; microbatch < 3; ++microbatch) {
                program.weight_gradient(at_task(TaskKind::weight_gradient, stage, microbatch), {},
                                        {});
            }
        }
        EXPECT_EQ(program.kept_for_weights().entries(), 0);
        program.begin_iteration(false);
        EXPECT_EQ(program.kept_for_weights().high_water(), 0);
        EXPECT_EQ(program.kept_for_weights().bytes_high_water(), 0);
    }
}

TEST(BackwardSplitTest, AnIterationDoesNotBeginWhileAWeightGradientIsDue) {
    const at::Tensor weight = parameter({2, 3}, 1);
    AutogradProgram program = program_of({source(weight), mean_square}, {.split_weight = true});
    run(program, 2, 4);
    try {
        program.begin_iteration(false);
        FAIL() << "accepted";
    } catch (const std::logic_error& error) {
        EXPECT_THAT(error.what(),
                    ::testing::HasSubstr("microbatch 4 on stage 0 has had no weight gradient"));
    }
}

}  // namespace
}  // namespace rrfp::test
