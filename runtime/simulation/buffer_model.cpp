#include "runtime/simulation/buffer_model.h"

namespace rrfp {

BufferModel::BufferModel(const Pipeline& pipeline, std::int64_t message_bytes)
    : pipeline_(pipeline), message_bytes_(message_bytes), buffers_(pipeline.placement.ranks()) {}

void BufferModel::task_ended(const Task& task) {
    const bool first = task.stage == 0;
    const bool last = task.stage == pipeline_.last_stage();
    if (task.kind == pipeline_.release_kind()) {
        if (!first) {
            buffer(task.stage, BufferKind::forward_ready).remove(message_bytes_);
        }
        if (!pipeline_.forward_only) {
            buffer(task.stage, BufferKind::backward_ready).remove(message_bytes_);
        }
    }
    if (task.kind == TaskKind::forward && last && !pipeline_.forward_only) {
        buffer(task.stage, BufferKind::backward_ready).add(message_bytes_);
    }
    if (pipeline_.sends_message(task)) {
        buffer(task.stage, finished(task)).add(message_bytes_);
    }
}

void BufferModel::arrived(const Task& producer, const Task& consumer) {
    if (pipeline_.sends_message(producer)) {
        buffer(producer.stage, finished(producer)).remove(message_bytes_);
    }
    const bool forward = producer.kind == TaskKind::forward;
    buffer(consumer.stage, forward ? BufferKind::forward_ready : BufferKind::backward_ready)
        .add(message_bytes_);
}

BufferKind BufferModel::finished(const Task& task) {
    return task.kind == TaskKind::forward ? BufferKind::forward_finished
                                          : BufferKind::backward_finished;
}

Occupancy& BufferModel::buffer(int stage, BufferKind kind) {
    return buffers_[pipeline_.placement.rank_of(stage)][static_cast<int>(kind)];
}

}  // namespace rrfp
