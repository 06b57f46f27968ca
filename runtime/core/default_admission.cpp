#include "runtime/core/default_admission.h"

#include <algorithm>
#include <stdexcept>

#include "runtime/core/hint_check.h"
#include "runtime/core/schedule_options.h"

namespace rrfp {
namespace {

constexpr int papers_limit = 32;

bool allows(AdmissionRule rule, const Pipeline& pipeline, const HintOrder& hint,
            const std::vector<int>& limits, bool deterministic) {
    try {
        validate(pipeline, {.arbiter = "bf",
                            .hint = hint,
                            .limits = limits,
                            .deterministic = deterministic,
                            .admission = rule});
    } catch (const std::invalid_argument&) {
        return false;
    }
    return true;
}

}  // namespace

AdmissionRule default_admission(const Pipeline& pipeline, const HintOrder& hint,
                                const std::vector<int>& limits, bool deterministic) {
    const Placement& placement = pipeline.placement;
    const auto allowed = [&](AdmissionRule rule) {
        return allows(rule, pipeline, hint, limits, deterministic);
    };
    if (placement.stages() > placement.ranks() && !hint.empty() && allowed(AdmissionRule::window) &&
        !keeps_everything(pipeline, hint)) {
        return AdmissionRule::window;
    }
    const auto holds_each = [&](int rank) { return limits.at(rank) >= placement.chunks(rank); };
    for (int rank = 0; rank < static_cast<int>(limits.size()) && rank < placement.ranks(); ++rank) {
        if (!holds_each(rank)) {
            return AdmissionRule::drain;
        }
    }
    return AdmissionRule::graded;
}

std::vector<int> default_limits(const Pipeline& pipeline, const HintOrder& own) {
    const Placement& placement = pipeline.placement;
    std::vector<int> limits;
    for (int rank = 0; rank < placement.ranks(); ++rank) {
        limits.push_back(std::max(papers_limit, placement.chunks(rank)));
    }
    if (!own.empty() && !keeps_everything(pipeline, own)) {
        const std::vector<int> levels = hint_levels(pipeline, own);
        std::transform(limits.begin(), limits.end(), levels.begin(), limits.begin(),
                       [](int limit, int level) { return std::max(limit, level); });
    }
    return limits;
}

bool keeps_everything(const Pipeline& pipeline, const HintOrder& hint) {
    const std::vector<int> levels = hint_levels(pipeline, hint);
    for (int rank = 0; rank < pipeline.placement.ranks(); ++rank) {
        if (levels[rank] < pipeline.microbatches * pipeline.placement.chunks(rank)) {
            return false;
        }
    }
    return pipeline.microbatches > 1;
}

}  // namespace rrfp
