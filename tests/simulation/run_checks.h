#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <rapidcheck.h>
#include <string>
#include <vector>

#include "tests/simulation/random_case.h"

namespace rrfp {

/// What a run did with each task, by task.
class RunTable {
  public:
    /// Every task once, on the rank that holds its stage, each rank's one after the other.
    RunTable(const Pipeline& pipeline, const SimulationResult& result)
        : pipeline_(pipeline),
          records_(static_cast<std::size_t>(task_kinds) * pipeline.placement.stages() *
                   pipeline.microbatches) {
        for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
            const auto& tasks = result.ranks[rank].tasks;
            RC_ASSERT(static_cast<int>(tasks.size()) == pipeline.task_count(rank));
            double free_at = 0;
            for (const TaskRecord& record : tasks) {
                RC_ASSERT(pipeline.placement.rank_of(record.task.stage) == rank);
                RC_ASSERT(!records_[index(record.task)]);
                RC_ASSERT(record.start_ms >= free_at);
                records_[index(record.task)] = &record;
                free_at = record.end_ms;
            }
        }
    }

    const TaskRecord& of(const Task& task) const { return *records_[index(task)]; }

  private:
    std::size_t index(const Task& task) const {
        return (static_cast<std::size_t>(task.kind) * pipeline_.placement.stages() + task.stage) *
                   pipeline_.microbatches +
               task.microbatch;
    }

    const Pipeline& pipeline_;
    std::vector<const TaskRecord*> records_;
};

/// When the inputs of `task` were all there.
inline double ready_ms(const RandomCase& example, const RunTable& table, const Task& task) {
    double ready = 0;
    for (const Task& input : example.pipeline.predecessors(task)) {
        const bool crosses = example.pipeline.crosses_ranks(input, task);
        ready = std::max(ready,
                         table.of(input).end_ms + (crosses ? example.sample.message_ms(input) : 0));
    }
    return ready;
}

/// Each task takes its time, after all of its inputs.
inline void check_times(const RandomCase& example, const SimulationResult& result,
                        const RunTable& table) {
    for (const RankIteration& rank : result.ranks) {
        for (const TaskRecord& record : rank.tasks) {
            RC_ASSERT(record.end_ms == record.start_ms + example.sample.task_ms(record.task));
            RC_ASSERT(record.start_ms >= ready_ms(example, table, record.task));
        }
    }
}

/// What each rank may have in flight: its limit, which is the peak of the list with `fixed`; and
/// under the drain rule, where a rank holds several stages, one more for each of its own, since the
/// drain goes on with forwards.
inline std::vector<int> most_in_flight(const Pipeline& pipeline, const ScheduleOptions& options) {
    std::vector<int> most = options.limits;
    const bool drains = options.arbiter != "fixed" && options.admission == AdmissionRule::drain &&
                        pipeline.placement.stages() > pipeline.placement.ranks();
    for (int rank = 0; drains && rank < pipeline.placement.ranks(); ++rank) {
        most[rank] += pipeline.placement.chunks(rank);
    }
    return most;
}

inline std::vector<int> in_flight_high_water(const SimulationResult& result) {
    std::vector<int> high_water;
    for (const RankIteration& rank : result.ranks) {
        high_water.push_back(rank.in_flight_high_water);
    }
    return high_water;
}

inline void check_limits(const RandomCase& example, const SimulationResult& result) {
    const std::vector<int> most = most_in_flight(example.pipeline, example.options);
    for (std::size_t rank = 0; rank < most.size(); ++rank) {
        RC_ASSERT(result.ranks[rank].in_flight_high_water <= most[rank]);
    }
}

/// Backwards and weight gradients of each stage ran in microbatch order.
inline void check_accumulates_in_order(const SimulationResult& result) {
    for (const RankIteration& rank : result.ranks) {
        std::map<std::pair<TaskKind, int>, int> next;
        for (const TaskRecord& record : rank.tasks) {
            if (record.task.kind != TaskKind::forward) {
                RC_ASSERT(record.task.microbatch ==
                          (next[{record.task.kind, record.task.stage}]++));
            }
        }
    }
}

/// The most microbatches that had begun at stage 0 and whose backward there was not complete, at
/// any one time.
inline int most_begun(const Pipeline& pipeline, const RunTable& table) {
    std::vector<std::pair<double, int>> steps;
    for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
        steps.emplace_back(table.of({TaskKind::forward, 0, microbatch}).start_ms, 1);
        steps.emplace_back(table.of({TaskKind::backward, 0, microbatch}).end_ms, -1);
    }
    std::sort(steps.begin(), steps.end());  // at one instant, ends before starts
    int begun = 0;
    int most = 0;
    for (const auto& [time, step] : steps) {
        begun += step;
        most = std::max(most, begun);
    }
    return most;
}

inline bool is_loop(const Placement& placement) {
    for (int stage = 0; stage < placement.stages(); ++stage) {
        if (placement.rank_of(stage) != stage % placement.ranks()) {
            return false;
        }
    }
    return placement.stages() % placement.ranks() == 0;
}

/// With `loop` each of the four buffers holds at most what rank 0 has in flight. Elsewhere at most
/// one entry a stage here for each microbatch on its way. With the split, also what waits here for
/// its weight gradient.
inline void check_buffers(const RandomCase& example, const SimulationResult& result,
                          const RunTable& table) {
    const Pipeline& pipeline = example.pipeline;
    const bool loop = is_loop(pipeline.placement);
    const int begun = loop ? 0 : most_begun(pipeline, table);
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        int bound =
            loop ? result.ranks[0].in_flight_high_water : begun * pipeline.placement.chunks(rank);
        if (pipeline.split_weight) {
            bound += result.ranks[rank].in_flight_high_water;
        }
        for (const Occupancy& buffer : result.ranks[rank].buffers) {
            RC_ASSERT(buffer.high_water() <= bound);
            RC_ASSERT(buffer.entries() == 0);
        }
    }
}

}  // namespace rrfp
