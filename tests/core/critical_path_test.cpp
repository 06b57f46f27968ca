// Invariant: `critical-path` runs what has the longest way still before it, by the durations it has
// seen; without any, by the number of tasks.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/core/keyed_random.h"
#include "runtime/core/learnt_durations.h"
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

/// All paths by their definition, one pass over every stage.
class EveryPath {
  public:
    explicit EveryPath(const Pipeline& pipeline)
        : pipeline_(pipeline), durations_(pipeline.placement.stages()) {}

    void learn(const Task& task, double ms) { durations_.learn(task, ms); }
    double of(const Task& task) const {
        double longest = 0;
        for (const Task& next : pipeline_.successors(task)) longest = std::max(longest, of(next));
        return durations_.expected_ms(task.kind, task.stage) + longest;
    }

  private:
    Pipeline pipeline_;
    LearntDurations durations_;
};

void follow(const Pipeline& pipeline, int rank, std::uint64_t seed) {
    const auto made = make_dispatcher(
        pipeline, rank,
        {.arbiter = "critical-path", .limits = std::vector<int>(pipeline.placement.ranks(), 99)});
    made->begin_iteration();
    EveryPath paths(pipeline);
    std::vector<Task> ready;
    for (int kind = 0; kind < pipeline.kinds(); ++kind) {
        for (const int stage : pipeline.placement.stages_of(rank)) {
            for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
                ready.push_back({static_cast<TaskKind>(kind), stage, microbatch});
                made->ready(ready.back());
            }
        }
    }
    while (!ready.empty()) {
        const std::optional<Task> chosen = made->choose();
        ASSERT_TRUE(chosen);
        double longest = 0;
        for (const Task& task : ready) longest = std::max(longest, paths.of(task));
        EXPECT_NEAR(paths.of(*chosen), longest, 1e-9 * longest);
        std::erase(ready, *chosen);
        const double ms = 0.5 + static_cast<double>(keyed_bits({seed, ready.size()}) % 1000);
        paths.learn(*chosen, ms);
        made->completed(*chosen, ms);
    }
}

TEST(CriticalPath, ItsOwnStagesTellWhatAPassOverAllStagesTells) {
    for (const bool split : {false, true}) {
        for (const auto& placement : {Placement::loop(3, 2), Placement::v(3),
                                      Placement({0, 0, 1, 2, 1, 0}), Placement::loop(4)}) {
            for (int rank = 0; rank < placement.ranks(); ++rank) {
                follow({.placement = placement, .microbatches = 3, .split_weight = split}, rank,
                       static_cast<std::uint64_t>(rank) + 7);
            }
        }
    }
}

}  // namespace
}  // namespace rrfp
