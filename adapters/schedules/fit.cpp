#include "adapters/schedules/fit.h"

#include <unordered_set>

namespace rrfp {
namespace {

std::vector<Task> fit_list(const Pipeline& pipeline, const std::vector<Task>& list) {
    const std::unordered_set<Task> listed(list.begin(), list.end());
    std::vector<Task> fitted;
    for (const Task& task : list) {
        if (static_cast<int>(task.kind) >= pipeline.kinds()) {
            continue;
        }
        fitted.push_back(task);
        const Task weight_gradient{TaskKind::weight_gradient, task.stage, task.microbatch};
        if (task.kind == TaskKind::backward && pipeline.split_weight &&
            !listed.contains(weight_gradient)) {
            fitted.push_back(weight_gradient);
        }
    }
    return fitted;
}

}  // namespace

HintOrder fit_hint(const Pipeline& pipeline, const HintOrder& hint) {
    HintOrder fitted;
    for (const auto& list : hint) {
        fitted.push_back(fit_list(pipeline, list));
    }
    return fitted;
}

}  // namespace rrfp
