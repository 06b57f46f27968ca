#include "runtime/simulation/replay.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/simulation/make_dispatchers.h"
#include "runtime/simulation/simulator.h"

namespace rrfp {
namespace {

/// Where a task ended, by (kind, stage, microbatch).
class Ends {
  public:
    Ends(const Pipeline& pipeline, std::span<const RankIteration> ranks) : ends_(pipeline) {
        for (const RankIteration& rank : ranks) {
            for (const TaskRecord& record : rank.tasks) {
                check(pipeline, record.task);
                ends_.set_task_ms(record.task, record.end_ms);
            }
        }
    }
    double of(const Task& task) const { return ends_.task_ms(task); }

    static void check(const Pipeline& pipeline, const Task& task) {
        const bool exists = static_cast<int>(task.kind) < pipeline.kinds() && task.stage >= 0 &&
                            task.stage < pipeline.placement.stages() && task.microbatch >= 0 &&
                            task.microbatch < pipeline.microbatches;
        if (!exists) {
            throw std::invalid_argument(
                fmt::format("{} is no task of a pipeline of {} stages and {} microbatches",
                            to_action(task, pipeline.split_weight), pipeline.placement.stages(),
                            pipeline.microbatches));
        }
    }

  private:
    Durations ends_;
};

}  // namespace

Durations measured_durations(const Pipeline& pipeline, std::span<const RankIteration> ranks) {
    const Ends ends(pipeline, ranks);
    Durations measured(pipeline);
    for (const RankIteration& rank : ranks) {
        for (const TaskRecord& record : rank.tasks) {
            measured.set_task_ms(record.task, record.end_ms - record.start_ms);
        }
        for (const ArrivalRecord& arrival : rank.arrivals) {
            Ends::check(pipeline, arrival.producer);
            measured.set_message_ms(arrival.producer,
                                    std::max(0.0, arrival.at_ms - ends.of(arrival.producer)));
        }
    }
    return measured;
}

double replayed_ms(const Pipeline& pipeline, const ScheduleOptions& options,
                   std::span<const Durations> samples) {
    if (samples.empty())
        throw std::invalid_argument("nothing to replay: no iteration was measured");
    const auto dispatchers = make_dispatchers(pipeline, options);
    double sum_ms = 0;
    for (const Durations& durations : samples) {
        sum_ms += simulate(pipeline, dispatchers, durations).makespan_ms;
    }
    return sum_ms / static_cast<double>(samples.size());
}

}  // namespace rrfp
