// Injected jitter lengthens a real task by its drawn factor or fills it to its drawn duration, and
// leaves its results alone.

#include "codelets/jittered_program.h"

#include <gtest/gtest.h>

#include "codelets/timing.h"

namespace rrfp {
namespace {

constexpr DLDataType byte_type{kDLUInt, 8, 1};

/// Takes `own_ms` a task and returns a tensor of its own.
class Inner final : public StageProgram {
  public:
    TensorList forward(const TaskContext&, const TensorList&) override { return work(); }
    TensorList backward(const TaskContext&, const TensorList&, const TensorList&) override {
        return work();
    }
    void weight_gradient(const TaskContext&, const TensorList&, const TensorList&) override {
        work();
    }

    TensorList work() {
        ++calls;
        spin_until_ms(monotonic_ms() + own_ms);
        return {result};
    }

    double own_ms = 0;
    int calls = 0;
    Tensor result = Tensor::allocate(byte_type, std::vector<std::int64_t>{3});
};

/// A factor well above one, and the iteration that draws it.
std::pair<std::uint64_t, double> long_draw(const Jitter& jitter, const Task& task) {
    for (std::uint64_t iteration = 0;; ++iteration) {
        if (const double factor = jitter.task_factor(iteration, task); factor > 2) {
            return {iteration, factor};
        }
    }
}

TEST(JitteredProgram, SleepsTheRestOfItsFactor) {
    Inner inner;
    inner.own_ms = 1;
    const Jitter jitter{.compute_cv = 1};
    JitteredProgram program(inner, jitter, {}, false);
    const Task task{TaskKind::forward, 1, 2};
    const auto [iteration, factor] = long_draw(jitter, task);
    const double start = monotonic_ms();
    const TensorList result = program.forward({task, iteration}, {});
    EXPECT_GE(monotonic_ms() - start, factor - 1e-3);
    EXPECT_EQ(result.at(0).data(), inner.result.data());
}

TEST(JitteredProgram, FillsToTheDrawnDuration) {
    Inner inner;
    const Jitter jitter{.compute_cv = 1};
    JitteredProgram program(inner, jitter, {.forward_ms = 50, .backward_ms = 3, .weight_ms = 1},
                            true);
    const Task backward{TaskKind::backward, 0, 0};
    const auto [iteration, factor] = long_draw(jitter, backward);
    double start = monotonic_ms();
    program.backward({backward, iteration}, {}, {});
    EXPECT_GE(monotonic_ms() - start, 2 * factor - 1e-3) << "the input gradient alone: 3 - 1 ms";
    start = monotonic_ms();
    program.weight_gradient({{TaskKind::weight_gradient, 0, 0}, 0}, {}, {});
    EXPECT_GE(monotonic_ms() - start,
              jitter.task_factor(0, {TaskKind::weight_gradient, 0, 0}) - 1e-3);
    EXPECT_EQ(inner.calls, 2);
}

TEST(Timing, ReturnsAtOnceWhenTheDeadlineHasPassed) {
    const double start = monotonic_ms();
    sleep_until_ms(start - 1000);
    spin_until_ms(start - 1000);
    sleep_until_ms(start + 2);
    EXPECT_GE(monotonic_ms(), start + 2 - 1e-3);
}

}  // namespace
}  // namespace rrfp
