// Invariant: `critical-path` runs what has the longest way still before it, by the durations it has
// seen; without any, by the number of tasks.

#include <gtest/gtest.h>

#include "runtime/core/schedule_options.h"

namespace rrfp {
namespace {

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

std::unique_ptr<Dispatcher> dispatcher_of(const Pipeline& pipeline) {
    auto made = make_dispatcher(
        pipeline, 0,
        {.arbiter = "critical-path", .limits = std::vector<int>(pipeline.placement.ranks(), 9)});
    made->begin_iteration();
    return made;
}

TEST(CriticalPath, TakesTheTaskWithTheLongestWayBeforeIt) {
    const auto rank = dispatcher_of(
        {.placement = Placement::loop(2, 2), .microbatches = 3, .split_weight = true});
    for (const Task& task : {Task{W, 2, 0}, Task{B, 0, 0}, Task{B, 2, 1}, Task{F, 2, 1},
                             Task{F, 0, 2}, Task{F, 0, 1}}) {
        rank->ready(task);
    }
    // Stages 0 and 2 are here: a forward has more before it than any backward, one of an earlier
    // stage more than one of a later; with backwards it is the other way round.
    for (const Task& expected : {Task{F, 0, 1}, Task{F, 0, 2}, Task{F, 2, 1}, Task{B, 2, 1},
                                 Task{B, 0, 0}, Task{W, 2, 0}}) {
        EXPECT_EQ(rank->choose(), expected);
    }
}

/// Both chunks of a `loop` over one rank, where the way of B(0) is B(0) and W(0), that of W(1)
/// W(1).
std::optional<Task> after_seeing(double backward_ms, double weight_ms) {
    const auto rank = dispatcher_of(
        {.placement = Placement::loop(1, 2), .microbatches = 4, .split_weight = true});
    for (const Task& task : {Task{B, 0, 0}, Task{W, 0, 0}, Task{W, 1, 0}}) {
        rank->ready(task);
        EXPECT_EQ(rank->choose(), task);
        rank->completed(task, task == Task{W, 1, 0} ? weight_ms : backward_ms);
    }
    rank->ready({B, 0, 1});
    rank->ready({W, 1, 1});
    return rank->choose();
}

TEST(CriticalPath, GoesByTheDurationsItHasSeen) {
    EXPECT_EQ(after_seeing(10, 15), (Task{B, 0, 1})) << "10 + 10 against 15";
    EXPECT_EQ(after_seeing(10, 25), (Task{W, 1, 1})) << "10 + 10 against 25";
}

}  // namespace
}  // namespace rrfp
