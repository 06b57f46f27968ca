#include "runtime/starpu/tracing/task_appearance.h"

#include "runtime/core/task_colors.h"

namespace rrfp {
namespace {

/// `color`, moved towards white: by nothing for the first chunk, by half for the last.
unsigned shade(unsigned color, int chunk, int chunks) {
    unsigned result = 0;
    for (const int shift : {16, 8, 0}) {
        const unsigned channel = color >> shift & 0xFF;
        const auto lift =
            (0xFF - channel) * static_cast<unsigned>(chunk) / (2 * static_cast<unsigned>(chunks));
        result |= (channel + lift) << shift;
    }
    return result;
}

}  // namespace

TaskAppearance::TaskAppearance(const Pipeline& pipeline, int rank, bool traced)
    : placement_(pipeline.placement),
      microbatches_(pipeline.microbatches),
      chunks_(pipeline.placement.chunks(rank)) {
    if (!traced) return;
    for (int kind = 0; kind < pipeline.kinds(); ++kind) {
        for (const int stage : pipeline.placement.stages_of(rank)) {
            for (int microbatch = 0; microbatch < microbatches_; ++microbatch) {
                names_.push_back(to_action({static_cast<TaskKind>(kind), stage, microbatch},
                                           pipeline.split_weight));
            }
        }
    }
}

const char* TaskAppearance::name(const Task& task) const {
    if (names_.empty()) return nullptr;
    const int row = static_cast<int>(task.kind) * chunks_ + placement_.chunk_of(task.stage);
    return names_[static_cast<std::size_t>(row) * static_cast<std::size_t>(microbatches_) +
                  static_cast<std::size_t>(task.microbatch)]
        .c_str();
}

unsigned TaskAppearance::color(const Task& task) const {
    return shade(task_colors[static_cast<std::size_t>(task.kind)], placement_.chunk_of(task.stage),
                 chunks_);
}

}  // namespace rrfp
