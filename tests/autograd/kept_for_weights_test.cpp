// What waits for its weight gradient is counted, in entries and bytes, and an iteration does not
// begin while some of it is due.
#include <cstdint>
#include <stdexcept>

#include <ATen/core/Tensor.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/mm.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/autograd/small_stages.h"

namespace rrfp::test {
namespace {

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
