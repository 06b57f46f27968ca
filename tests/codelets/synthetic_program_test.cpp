// A timed task lasts at least what was drawn for it, hands on bytes that tell who wrote them, and
// refuses bytes that another task wrote.

#include "codelets/synthetic_program.h"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codelets/timing.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

Pipeline two_stages() {
    return {.placement = Placement::loop(2), .microbatches = 4, .split_weight = true};
}

SyntheticProgram program(std::int64_t message_bytes, const StageTimes& times = {}) {
    return {two_stages(), {.times = times, .message_bytes = message_bytes}};
}

template <class Call>
std::string complaint(const Call& call) {
    try {
        call();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(SyntheticProgram, AMicrobatchPassesThroughBothStages) {
    for (const std::int64_t bytes : {0, 8, 16, 4096}) {
        SyntheticProgram stages = program(bytes);
        const TensorList activation = stages.forward({{F, 0, 3}, 7}, {});
        ASSERT_EQ(activation.size(), 1U);
        EXPECT_EQ(activation[0].bytes(), static_cast<std::size_t>(bytes));
        const TensorList output = stages.forward({{F, 1, 3}, 7}, activation);
        const TensorList gradient = stages.backward({{B, 1, 3}, 7}, activation, output);
        stages.weight_gradient({{W, 1, 3}, 7}, activation, output);
        EXPECT_TRUE(stages.backward({{B, 0, 3}, 7}, {}, gradient).empty());
        stages.weight_gradient({{W, 0, 3}, 7}, {}, gradient);
    }
}

TEST(SyntheticProgram, RefusesWhatAnotherTaskWrote) {
    SyntheticProgram stages = program(64);
    const TensorList activation = stages.forward({{F, 0, 3}, 7}, {});
    EXPECT_THAT(complaint([&] {
                    stages.forward({{F, 1, 2}, 7}, activation);
                }),
                AllOf(HasSubstr("1F2 in iteration 7"), HasSubstr("0F3"), HasSubstr("0F2")));
    EXPECT_THAT(complaint([&] {
                    stages.forward({{F, 1, 3}, 8}, activation);
                }),
                HasSubstr("in iteration 8"));
    const TensorList output = stages.forward({{F, 1, 3}, 7}, activation);
    EXPECT_THAT(complaint([&] {
                    stages.backward({{B, 1, 3}, 7}, activation, activation);
                }),
                HasSubstr("in place of the result of 1F3"));
    EXPECT_THAT(complaint([&] {
                    stages.backward({{B, 0, 3}, 7}, {}, output);
                }),
                HasSubstr("in place of the result of 1B3"));
    EXPECT_THAT(complaint([&] {
                    stages.weight_gradient({{W, 1, 3}, 7}, output, output);
                }),
                HasSubstr("1W3"));
}

TEST(SyntheticProgram, RefusesMissingAndMisshapenInputs) {
    SyntheticProgram stages = program(64);
    const TensorList activation = stages.forward({{F, 0, 0}, 0}, {});
    EXPECT_THAT(complaint([&] { stages.forward({{F, 1, 0}, 0}, {}); }), HasSubstr("no tensor"));
    EXPECT_THAT(complaint([&] {
                    stages.forward({{F, 1, 0}, 0}, {Tensor()});
                }),
                HasSubstr("undefined"));
    EXPECT_THAT(complaint([&] {
                    stages.forward({{F, 0, 0}, 0}, activation);
                }),
                HasSubstr("stage 0 has none"));
    SyntheticProgram larger = program(128);
    EXPECT_THAT(complaint([&] {
                    larger.forward({{F, 1, 0}, 0}, activation);
                }),
                AllOf(HasSubstr("uint8[64]"), HasSubstr("128 bytes")));
}

TEST(SyntheticProgram, LastsWhatWasDrawn) {
    const Jitter jitter{.compute_cv = 0.5, .seed = 5};
    for (const bool sleep : {true, false}) {
        SyntheticProgram stages(
            two_stages(),
            {.times = {.forward_ms = 2, .backward_ms = 2}, .jitter = jitter, .sleep = sleep});
        const double start = monotonic_ms();
        stages.forward({{F, 0, 1}, 2}, {});
        EXPECT_GE(monotonic_ms() - start, 2 * jitter.task_factor(2, {F, 0, 1}) - 1e-3);
    }
}

TEST(SyntheticProgram, RefusesTimesThatCannotBe) {
    EXPECT_THROW(program(-1), std::invalid_argument);
    EXPECT_THROW(program(0, {.forward_ms = -1}), std::invalid_argument);
    EXPECT_THROW(program(0, {.backward_ms = 1, .weight_ms = 2}), std::invalid_argument);
}

}  // namespace
}  // namespace rrfp
