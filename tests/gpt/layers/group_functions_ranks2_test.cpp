// Invariant: each collective function's gradient is its transpose: over all ranks,
// <y, f(x)> = <gradient(y), x>. Cross-entropy and embedding over a divided vocabulary are those
// over the whole one, at extreme logits and for targets at the borders of the parts.
#include <functional>
#include <memory>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "adapters/autograd/group_functions.h"
#include "adapters/collectives/mpi_collectives.h"
#include "adapters/gpt/layers/vocabulary_parallel.h"
#include "tests/mpi/mpi_environment.h"

namespace rrfp::test {
namespace {

class GroupFunctions : public ::testing::Test {
  protected:
    at::Tensor random(std::vector<std::int64_t> shape) { return at::randn(shape, generator_); }

    double over_all(double value) const {
        group_->all_reduce(std::span(&value, 1), Reduction::sum);
        return value;
    }
    /// <y, f(x)> and <gradient(y), x>, of this rank's tensors.
    std::pair<double, double> products(
        const at::Tensor& input, const std::function<at::Tensor(const at::Tensor&)>& function) {
        const at::Tensor x = input.clone().set_requires_grad(true);
        const at::Tensor value = function(x);
        const at::Tensor y = random(value.sizes().vec());
        value.backward(y);
        return {over_all(value.detach().mul(y).sum().item<double>()),
                over_all(x.grad().mul(input).sum().item<double>())};
    }

    const std::unique_ptr<Collectives> group_ =
        make_mpi_collectives(std::vector{0, 1}, {.name = "pair", .wait_seconds = 30});
    /// Ranks draw different numbers.
    at::Generator generator_ =
        at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(group_->rank() + 1));
    const c10::AutoGradMode with_graph_{true};
};

TEST_F(GroupFunctions, sum_of_gradients_is_the_transpose_of_a_copy) {
    const at::Tensor input = random({2, 4, 3});
    const at::Tensor x = input.clone().set_requires_grad(true);
    const at::Tensor value = sum_of_gradients(x, *group_);
    EXPECT_TRUE(value.equal(input));
    const at::Tensor y = at::tensor({group_->rank() + 1.0F}).expand({2, 4, 3});
    value.backward(y);
    EXPECT_TRUE(x.grad().eq(3).all().item<bool>());
    EXPECT_TRUE(y.eq(group_->rank() + 1).all().item<bool>()) << "the incoming gradient is intact";
}

TEST_F(GroupFunctions, sum_over_passes_its_gradient) {
    const at::Tensor x = at::tensor({group_->rank() + 1.0F}).set_requires_grad(true);
    const at::Tensor value = sum_over(x, *group_);
    EXPECT_EQ(value.item<float>(), 3);
    EXPECT_EQ(x.item<float>(), group_->rank() + 1);
    value.backward(at::tensor({5.0F}));
    EXPECT_EQ(x.grad().item<float>(), 5);
}

TEST_F(GroupFunctions, join_parts_and_part_of_sum_are_transposes_along_each_dimension) {
    for (const std::int64_t dimension : {0, 1, 2}) {
        const at::Tensor input = random({2, 4, 6});
        const auto [joined, scattered] =
            products(input, [&](const at::Tensor& x) { return join_parts(x, dimension, *group_); });
        EXPECT_NEAR(joined, scattered, 1e-4);
        const auto [part, gathered] = products(
            input, [&](const at::Tensor& x) { return part_of_sum(x, dimension, *group_); });
        EXPECT_NEAR(part, gathered, 1e-4);
    }
}

TEST_F(GroupFunctions, join_parts_keeps_the_order_of_rows) {
    const float base = 10.0F * static_cast<float>(group_->rank());
    const at::Tensor part = at::tensor({base, base + 1, base + 2, base + 3}).view({2, 2});
    const at::Tensor expected =
        at::tensor({0.0F, 1.0F, 10.0F, 11.0F, 2.0F, 3.0F, 12.0F, 13.0F}).view({2, 4});
    EXPECT_TRUE(join_parts(part, 1, *group_).equal(expected));
}

TEST_F(GroupFunctions, cross_entropy_over_a_divided_vocabulary_is_that_over_the_whole) {
    constexpr std::int64_t rows = 6;
    constexpr std::int64_t vocabulary = 8;
    const TensorGroup group(group_.get(), false);
    at::Generator same = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t{7});
    for (const double scale : {1.0, 1e4}) {
        const at::Tensor logits = at::randn({rows, vocabulary}, same).mul(scale);
        const at::Tensor targets = at::tensor({0, 3, 4, 7, 1, 6}).to(at::kLong);
        const at::Tensor whole = logits.clone().set_requires_grad(true);
        const at::Tensor expected = at::cross_entropy_loss(whole, targets);
        expected.backward(at::tensor(0.25F));
        const at::Tensor part = logits.narrow(1, group_->rank() * 4, 4).clone();
        part.set_requires_grad(true);
        const at::Tensor actual = cross_entropy(part, targets, group);
        actual.backward(at::tensor(0.25F));
        EXPECT_NEAR(actual.item<float>(), expected.item<float>(),
                    1e-6 * std::abs(expected.item<float>()));
        EXPECT_TRUE(part.grad().allclose(whole.grad().narrow(1, group_->rank() * 4, 4), 1e-5, 1e-8))
            << part.grad() << whole.grad();
    }
}

TEST_F(GroupFunctions, embedding_over_a_divided_vocabulary_is_that_over_the_whole) {
    const TensorGroup group(group_.get(), false);
    at::Generator same = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t{7});
    const at::Tensor table = at::randn({8, 3}, same);
    const at::Tensor tokens = at::tensor({0, 3, 4, 7, 7, 1}).to(at::kLong).view({2, 3});
    const at::Tensor gradient = at::randn({2, 3, 3}, same);
    const at::Tensor whole = table.clone().set_requires_grad(true);
    const at::Tensor expected = at::embedding(whole, tokens);
    expected.backward(gradient);
    const at::Tensor part = table.narrow(0, group_->rank() * 4, 4).clone();
    part.set_requires_grad(true);
    const at::Tensor actual = embed_tokens(part, tokens, group);
    actual.backward(gradient);
    EXPECT_TRUE(actual.equal(expected)) << "one rank's row and zeros";
    EXPECT_TRUE(part.grad().equal(whole.grad().narrow(0, group_->rank() * 4, 4)));
}

}  // namespace
}  // namespace rrfp::test
