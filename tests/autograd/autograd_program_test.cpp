// Gradients reach every stage once, dense and with the 1/M of the mean, whatever kinds of tensors
// pass between stages and whichever of them are frozen; storage lives exactly as long as needed.
#include "adapters/autograd/autograd_program.h"

#include <stdexcept>

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/autograd/dlpack_bridge.h"
#include "tests/autograd/function_program.h"

namespace rrfp {
namespace {

using test::at_task;
using test::Function;
using test::run;
using test::Values;
using ::testing::HasSubstr;

AutogradProgram program_of(std::vector<Function> functions, int microbatches = 1,
                           bool recompute = false) {
    return test::program_of(std::move(functions),
                            {.microbatches = microbatches, .recompute = recompute});
}

at::Tensor weight(double value, bool trains = true) {
    return at::full({2, 3}, value, at::kFloat).set_requires_grad(trains);
}

Function multiply(const at::Tensor& factor) {
    return [factor](const Microbatch&, const Values& inputs) {
        return Values{inputs.empty() ? factor.mul(1) : inputs[0].mul(factor)};
    };
}

Values sum_all(const Microbatch&, const Values& inputs) { return {inputs[0].sum()}; }

TEST(AutogradProgramTest, R08TheMeanOverMicrobatchesEntersOnce) {
    for (const bool recompute : {false, true}) {
        const at::Tensor first = weight(2);
        const at::Tensor second = weight(3);
        AutogradProgram program =
            program_of({multiply(first), multiply(second), sum_all}, 4, recompute);
        for (int microbatch = 0; microbatch < 4; ++microbatch) run(program, 3, microbatch);
        EXPECT_TRUE(first.grad().equal(at::full({2, 3}, 3.0f)));
        EXPECT_TRUE(second.grad().equal(at::full({2, 3}, 2.0f)));
        EXPECT_EQ(program.kept(), 0u);
        EXPECT_EQ(program.loss_sum(), 4 * 6 * 6.0);
    }
}

TEST(AutogradProgramTest, R06AnExpandedGradientArrivesDense) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        for (const bool split : {false, true}) {
            const at::Tensor hidden = at::full({4, 6}, 2, type).set_requires_grad(true);
            AutogradProgram program =
                test::program_of({multiply(hidden), sum_all}, {.split_weight = split});
            const auto gradients = run(program, 2, 0, split);
            EXPECT_TRUE(gradients[1][0].is_contiguous());
            EXPECT_TRUE(gradients[1][0].equal(at::ones({4, 6}, type)));
            EXPECT_TRUE(hidden.grad().equal(at::ones({4, 6}, type)));
        }
    }
}

TEST(AutogradProgramTest, R04OnlyWhatCanHaveAGradientGetsOne) {
    const at::Tensor parameter = weight(2);
    const Function first = [&](const Microbatch&, const Values&) {
        return Values{parameter.mul(1), at::ones({2, 3}, at::kBool), at::arange(3),
                      at::full({3}, 0.5, at::kBFloat16), at::Tensor()};
    };
    const Function pass = [](const Microbatch&, const Values& inputs) { return inputs; };
    const Function last = [](const Microbatch&, const Values& inputs) {
        EXPECT_EQ(inputs[1].scalar_type(), at::kBool);
        EXPECT_EQ(inputs[2].scalar_type(), at::kLong);
        EXPECT_EQ(inputs[3].scalar_type(), at::kBFloat16);
        EXPECT_FALSE(inputs[4].defined());
        return Values{inputs[0].mul(inputs[1]).mul(inputs[2]).sum()};
    };
    AutogradProgram program = program_of({first, pass, last});
    const auto gradients = run(program, 3);
    for (const int stage : {1, 2}) {
        ASSERT_EQ(gradients[stage].size(), 5u);
        EXPECT_TRUE(gradients[stage][0].defined());
        for (const int other : {1, 2, 3, 4}) EXPECT_FALSE(gradients[stage][other].defined());
    }
    EXPECT_TRUE(parameter.grad().equal(at::arange(3).to(at::kFloat).expand({2, 3})));
}

TEST(AutogradProgramTest, R05FrozenStagesPassGradientsOnAndStayUnchanged) {
    for (const int frozen : {0b001, 0b010, 0b011, 0b111}) {
        for (const bool recompute : {false, true}) {
            const Values weights = {weight(2, !(frozen & 1)), weight(3, !(frozen & 2)),
                                    weight(5, !(frozen & 4))};
            const at::Tensor unused = weight(1);
            const Function last = [&](const Microbatch&, const Values& inputs) {
                return Values{inputs[0].mul(weights[2]).sum()};
            };
            AutogradProgram program =
                program_of({multiply(weights[0]), multiply(weights[1]), last}, 1, recompute);
            run(program, 3);
            EXPECT_EQ(program.kept(), 0u);
            const double product = 2 * 3 * 5;
            for (const at::Tensor& each : weights) {
                ASSERT_EQ(each.grad().defined(), each.requires_grad());
                if (!each.grad().defined()) continue;
                EXPECT_EQ(each.grad().mul(each).mean().item<float>(), product);
            }
            EXPECT_FALSE(unused.grad().defined());
        }
    }
}

TEST(AutogradProgramTest, R11LossesAddUpInMicrobatchOrderInAnyOrderOfExecution) {
    const std::vector<double> losses = {1e16, 1, -1e16, 1};  // their sum depends on the order
    const Function last = [&](const Microbatch& microbatch, const Values&) {
        return Values{at::full({}, losses[microbatch.index], at::kDouble)};
    };
    for (const std::vector<int>& order : {std::vector{0, 1, 2, 3}, std::vector{3, 1, 0, 2}}) {
        AutogradProgram program = program_of({last}, 4);
        for (const int microbatch : order) run(program, 1, microbatch);
        EXPECT_EQ(program.loss_sum(), 1.0);
    }
}

TEST(AutogradProgramTest, TheCallersGradModeDoesNotMatter) {
    const c10::AutoGradMode off(false);
    const at::Tensor parameter = at::ones({2, 3});
    parameter.set_requires_grad(true);
    AutogradProgram program = program_of({multiply(parameter), sum_all});
    run(program, 2);
    EXPECT_TRUE(parameter.grad().equal(at::ones({2, 3})));
}

TEST(AutogradProgramTest, EvaluationKeepsNothing) {
    AutogradProgram program = program_of({multiply(weight(2)), sum_all});
    program.begin_iteration(true);
    const TensorList hidden = program.forward(at_task(TaskKind::forward, 0), {});
    program.forward(at_task(TaskKind::forward, 1), hidden);
    EXPECT_EQ(program.kept(), 0u);
    EXPECT_EQ(program.loss_sum(), 12.0);
}

TEST(AutogradProgramTest, MisuseIsNamedWithStageAndMicrobatch) {
    AutogradProgram program = program_of({multiply(weight(2)), sum_all});
    const auto message = [&](auto&& call) -> std::string {
        try {
            call();
        } catch (const std::logic_error& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_THAT(message([&] { program.backward(at_task(TaskKind::backward, 1, 7), {}, {}); }),
                HasSubstr("microbatch 7 on stage 1"));
    program.forward(at_task(TaskKind::forward, 0, 5), {});
    EXPECT_THAT(message([&] { program.begin_iteration(false); }),
                HasSubstr("microbatch 5 on stage 0"));
    EXPECT_THAT(
        message([&] { program.weight_gradient(at_task(TaskKind::weight_gradient, 0, 1), {}, {}); }),
        HasSubstr("weight gradient of microbatch 1 on stage 0 without a backward"));
}

TEST(AutogradProgramTest, R16AStagesOwnMessageArrivesWithoutAStackTrace) {
    const Function mismatch = [](const Microbatch&, const Values&) {
        return Values{at::ones({2, 3}).matmul(at::ones({2, 3}))};
    };
    AutogradProgram program = program_of({mismatch, sum_all});
    try {
        program.forward(at_task(TaskKind::forward, 0), {});
        FAIL() << "accepted";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("2x3 and 2x3"));
        EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("Exception raised")));
    }
}

TEST(DlpackBridgeTest, StorageIsSharedAndOutlivesTheOneThatMadeIt) {
    at::Tensor made = at::arange(6).to(at::kFloat).view({2, 3});
    const void* storage = made.data_ptr();
    Tensor carried = from_torch(made);
    made.reset();
    EXPECT_EQ(carried.data(), storage);
    at::Tensor back = to_torch(carried);
    carried = Tensor();
    EXPECT_EQ(back.data_ptr(), storage);
    EXPECT_TRUE(back.equal(at::arange(6).to(at::kFloat).view({2, 3})));
    EXPECT_FALSE(back.requires_grad());
}

TEST(DlpackBridgeTest, AMessageDoesNotKeepTheGraphItsValuesCameFrom) {
    const at::Tensor parameter = weight(2);
    at::Tensor result = parameter.mul(3);
    const std::weak_ptr<torch::autograd::Node> graph = result.grad_fn();
    const Tensor carried = from_torch(result);
    result.reset();
    EXPECT_TRUE(graph.expired());
    EXPECT_EQ(to_torch(carried).sum().item<float>(), 36);
}

TEST(DlpackBridgeTest, UndefinedStridedAndEmptyTensorsPass) {
    EXPECT_FALSE(to_torch(Tensor()).defined());
    EXPECT_FALSE(from_torch(at::Tensor()).defined());
    const at::Tensor strided = at::arange(6).view({2, 3}).t();
    EXPECT_FALSE(from_torch(strided).is_contiguous());
    EXPECT_TRUE(to_torch(from_torch(strided).contiguous()).equal(strided));
    EXPECT_EQ(to_torch(from_torch(at::ones({0, 4}))).sizes(), (at::IntArrayRef{0, 4}));
    EXPECT_EQ(to_torch(from_torch(at::full({}, 7.0))).item<float>(), 7);
}

TEST(DlpackBridgeTest, WhatTheRuntimeAllocatedIsReadInPlace) {
    const std::int64_t shape[] = {2, 3};
    const Tensor own = Tensor::allocate({kDLFloat, 32, 1}, shape);
    to_torch(own).fill_(4);
    EXPECT_EQ(static_cast<const float*>(own.data())[5], 4);
}

}  // namespace
}  // namespace rrfp
