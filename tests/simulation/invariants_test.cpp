// Whatever the durations, the delays, the limits and the arbiter: the iteration ends, each task
// runs once and after what it reads, the limit holds, the buffers stay within their bounds, and no
// makespan beats the bounds.

#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "runtime/simulation/bounds.h"
#include "tests/simulation/random_case.h"

namespace rrfp {
namespace {

std::map<Task, TaskRecord> records_of(const SimulationResult& result) {
    std::map<Task, TaskRecord> records;
    for (const RankIteration& rank : result.ranks) {
        for (const TaskRecord& record : rank.tasks) {
            RC_ASSERT(records.emplace(record.task, record).second);
        }
    }
    return records;
}

void check_inputs(const RandomCase& example, const std::map<Task, TaskRecord>& records) {
    for (const auto& [task, record] : records) {
        RC_ASSERT(record.end_ms == record.start_ms + example.sample.task_ms(task));
        for (const Task& input : example.pipeline.predecessors(task)) {
            const double delay =
                example.pipeline.crosses_ranks(input, task) ? example.sample.message_ms(input) : 0;
            RC_ASSERT(record.start_ms >= records.at(input).end_ms + delay);
        }
    }
}

void check_ranks(const RandomCase& example, const SimulationResult& result) {
    for (int rank = 0; rank < example.pipeline.placement.ranks(); ++rank) {
        const auto& tasks = result.ranks[rank].tasks;
        RC_ASSERT(static_cast<int>(tasks.size()) == example.pipeline.task_count(rank));
        for (std::size_t i = 1; i < tasks.size(); ++i) {
            RC_ASSERT(tasks[i].start_ms >= tasks[i - 1].end_ms);
        }
        const int chunks = example.pipeline.placement.chunks(rank);
        const int allowance = chunks == 1 ? 0 : chunks;
        RC_ASSERT(result.ranks[rank].in_flight_high_water <=
                  example.options.limits[rank] + allowance);
    }
}

/// Entries are of microbatches in flight at rank 0; with the split also of those that wait for W
/// here.
void check_buffers(const RandomCase& example, const SimulationResult& result) {
    const Pipeline& pipeline = example.pipeline;
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        if (pipeline.placement.stages_of(rank).front() != rank ||
            pipeline.placement.stages_of(rank).back() % pipeline.placement.ranks() != rank) {
            return;  // the bound is for `loop`
        }
        int bound = result.ranks[0].in_flight_high_water;
        if (pipeline.split_weight) {
            bound += result.ranks[rank].in_flight_high_water;
        }
        for (const Occupancy& buffer : result.ranks[rank].buffers) {
            RC_ASSERT(buffer.high_water() <= bound);
            RC_ASSERT(buffer.entries() == 0);
        }
    }
}

RC_GTEST_PROP(Simulation, KeepsEveryInvariant, ()) {
    const RandomCase example = random_case(readiness_first());
    RC_TAG(example.options.arbiter);
    const SimulationResult result = run_case(example.pipeline, example.options, example.sample);
    check_inputs(example, records_of(result));
    check_ranks(example, result);
    check_buffers(example, result);
    RC_ASSERT(result.makespan_ms >= bounds(example.pipeline, example.sample).lower_bound_ms - 1e-9);
}

RC_GTEST_PROP(Simulation, IsReproducible, ()) {
    const RandomCase example = random_case(readiness_first());
    const auto first = run_case(example.pipeline, example.options, example.sample);
    const auto second = run_case(example.pipeline, example.options, example.sample);
    RC_ASSERT(first.makespan_ms == second.makespan_ms);
    for (std::size_t rank = 0; rank < first.ranks.size(); ++rank) {
        for (std::size_t i = 0; i < first.ranks[rank].tasks.size(); ++i) {
            RC_ASSERT(first.ranks[rank].tasks[i].task == second.ranks[rank].tasks[i].task);
        }
    }
}

RC_GTEST_PROP(Simulation, EvaluationRunsForwardsAlone, ()) {
    RandomCase example = random_case(readiness_first());
    example.pipeline.split_weight = false;
    example.pipeline.forward_only = true;
    example.options.hint = make_hint("gpipe", example.pipeline);
    const SimulationResult result = run_case(example.pipeline, example.options, example.sample);
    check_inputs(example, records_of(result));
    check_ranks(example, result);
    for (const RankIteration& rank : result.ranks) {
        RC_ASSERT(rank.in_flight_high_water == 1);
        for (const Occupancy& buffer : rank.buffers) {
            RC_ASSERT(buffer.entries() == 0);
        }
    }
}

}  // namespace
}  // namespace rrfp
