#include "adapters/jobs/training/iteration_end.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "adapters/collectives/world.h"

namespace rrfp {

bool IterationFacts::finite() const { return std::isfinite(loss) && std::isfinite(gradient_norm); }

IterationFacts exchange_facts(const RankIteration& iteration, const Trainer* trainer,
                              const Layout& layout, int microbatches) {
    double last_end = -std::numeric_limits<double>::infinity();
    for (const TaskRecord& record : iteration.tasks) {
        last_end = std::max(last_end, record.end_ms);
    }
    const std::array<double, 4> mine = {iteration.tasks.front().start_ms, last_end,
                                        trainer ? trainer->loss_sum() : 0.0,
                                        trainer ? trainer->gradient_square_sum() : 0.0};
    const std::vector<std::vector<double>> all = all_gather(mine);

    IterationFacts facts{.first_dispatch_ms = all[0][0], .last_task_end_ms = all[0][1]};
    double squares = 0;
    for (int rank = 0; rank < layout.world_size(); ++rank) {
        const std::vector<double>& row = all[rank];
        facts.last_task_end_ms = std::max(facts.last_task_end_ms, row[1]);
        facts.loss += row[2];
        // Replicas hold the same gradients once they are reduced.
        if (layout.place(rank).data == 0) squares += row[3];
    }
    facts.loss /= static_cast<double>(microbatches) * layout.data_ranks();
    facts.gradient_norm = std::sqrt(squares);
    return facts;
}

double clip_factor(double gradient_norm, double clip_norm) {
    if (clip_norm <= 0) {
        return 1;
    }
    // The small term is the one of torch.nn.utils.clip_grad_norm_, for equal results.
    return std::min(1.0, clip_norm / (gradient_norm + 1e-6));
}

double latest(double ms) {
    double result = ms;
    for (const std::vector<double>& row : all_gather(std::array<double, 1>{ms})) {
        result = std::max(result, row[0]);
    }
    return result;
}

}  // namespace rrfp
