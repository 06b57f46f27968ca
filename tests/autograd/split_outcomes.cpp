#include "tests/autograd/split_outcomes.h"

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

namespace rrfp::test {
namespace {

constexpr int microbatches = 3;

void expect_same(const Values& one, const Values& other) {
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_EQ(one[i].defined(), other[i].defined()) << i;
        if (one[i].defined()) {
            EXPECT_TRUE(one[i].equal(other[i])) << i;
        }
    }
}

}  // namespace

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

}  // namespace rrfp::test
