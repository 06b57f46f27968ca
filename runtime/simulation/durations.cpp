#include "runtime/simulation/durations.h"

namespace rrfp {

Durations::Durations(const Pipeline& pipeline)
    : stages_(pipeline.placement.stages()),
      microbatches_(pipeline.microbatches),
      tasks_(static_cast<std::size_t>(task_kinds) * stages_ * microbatches_),
      messages_(tasks_.size()) {}

Durations Durations::draw(const Pipeline& pipeline, const StageTimes& times, const Jitter& jitter,
                          std::uint64_t iteration) {
    Durations sample(pipeline);
    for (int kind = 0; kind < pipeline.kinds(); ++kind) {
        for (int stage = 0; stage < sample.stages(); ++stage) {
            for (int microbatch = 0; microbatch < sample.microbatches(); ++microbatch) {
                const Task task{static_cast<TaskKind>(kind), stage, microbatch};
                sample.set_task_ms(task, times.base_ms(task, pipeline.split_weight) *
                                             jitter.task_factor(iteration, task));
                if (task.kind != TaskKind::weight_gradient) {
                    sample.set_message_ms(task, jitter.message_delay_ms(iteration, task));
                }
            }
        }
    }
    return sample;
}

double Durations::task_ms(const Task& task) const { return tasks_[index(task)]; }

double Durations::message_ms(const Task& producer) const { return messages_[index(producer)]; }

void Durations::set_task_ms(const Task& task, double ms) { tasks_[index(task)] = ms; }

void Durations::set_message_ms(const Task& producer, double ms) { messages_[index(producer)] = ms; }

std::size_t Durations::index(const Task& task) const {
    return (static_cast<std::size_t>(task.kind) * stages_ + task.stage) * microbatches_ +
           task.microbatch;
}

}  // namespace rrfp
