// `fixed` runs as the longest path through its lists and the pipeline's dependencies says, computed
// here by relaxation until nothing changes.

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/simulation/random_case.h"

namespace rrfp {
namespace {

/// The earliest start of each task, by relaxing every list again and again.
std::map<Task, double> earliest_starts(const Pipeline& pipeline, const HintOrder& hint,
                                       const Durations& sample) {
    std::map<Task, double> starts;
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& list : hint) {
            double free_at = 0;
            for (const Task& task : list) {
                double start = free_at;
                for (const Task& input : pipeline.predecessors(task)) {
                    const double delay =
                        pipeline.crosses_ranks(input, task) ? sample.message_ms(input) : 0;
                    start = std::max(start, starts[input] + sample.task_ms(input) + delay);
                }
                changed = changed || !starts.contains(task) || starts[task] != start;
                starts[task] = start;
                free_at = start + sample.task_ms(task);
            }
        }
    }
    return starts;
}

RC_GTEST_PROP(Fixed, RunsAsTheLongestPathSays, ()) {
    RandomCase example = random_case({"fixed"});
    example.options.limits = flat(example.pipeline, 1000);
    example.options.deterministic = false;
    const auto expected = earliest_starts(example.pipeline, example.options.hint, example.sample);
    const SimulationResult result = run_case(example.pipeline, example.options, example.sample);
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        const auto& tasks = result.ranks[rank].tasks;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            RC_ASSERT(tasks[i].task == example.options.hint[rank][i]);
            RC_ASSERT(std::abs(tasks[i].start_ms - expected.at(tasks[i].task)) < 1e-9);
        }
    }
}

}  // namespace
}  // namespace rrfp
