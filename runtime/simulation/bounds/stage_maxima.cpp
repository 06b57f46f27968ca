#include "runtime/simulation/bounds/stage_maxima.h"

#include <algorithm>

namespace rrfp {

StageMaxima stage_maxima(const Pipeline& pipeline, const Durations& durations) {
    const auto stages = static_cast<std::size_t>(pipeline.placement.stages());
    StageMaxima maxima{std::vector<double>(stages), std::vector<double>(stages),
                       std::vector<double>(stages), std::vector<double>(stages)};
    const auto raise = [&](const Task& task, double& work, double& link) {
        work = std::max(work, durations.task_ms(task));
        if (pipeline.sends_message(task)) {
            link = std::max(link, durations.message_ms(task));
        }
    };
    for (int stage = 0; stage < pipeline.placement.stages(); ++stage) {
        for (int microbatch = 0; microbatch < pipeline.microbatches; ++microbatch) {
            raise({TaskKind::forward, stage, microbatch}, maxima.forward[stage],
                  maxima.forward_link[stage]);
            raise({TaskKind::backward, stage, microbatch}, maxima.backward[stage],
                  maxima.backward_link[stage]);
        }
    }
    return maxima;
}

}  // namespace rrfp
