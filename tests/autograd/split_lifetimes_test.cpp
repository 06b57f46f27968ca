// Nothing that W does not need outlives B, nothing outlives W, and nothing is computed twice.
#include <optional>
#include <utility>

#include <ATen/core/Tensor.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/mm.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

#include "adapters/autograd/backward_split.h"
#include "tests/autograd/small_stages.h"

namespace rrfp::test {
namespace {

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

}  // namespace
}  // namespace rrfp::test
