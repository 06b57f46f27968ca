#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/schedule_options.h"

namespace rrfp {

/// What a user says of a schedule; whatever is left open has a default.
struct ScheduleWishes {
    std::string arbiter;      ///< empty: `default_arbiter`
    std::string hint;         ///< a schedule's name or a CSV file; empty: `default_hint`
    std::string placement;    ///< the word for the placement, as `default_hint` takes it
    std::vector<int> limits;  ///< one a rank; empty: `default_limits`, for `fixed` its list's peaks
    std::optional<AdmissionRule> admission;  ///< nothing: `default_admission`
    bool deterministic = false;
    std::shared_ptr<const ArbiterPlugin> plugin;
};

/// The one place where defaults are chosen, for jobs, for simulations and for Megatron: first the
/// hint, then the limits, by them the rule of admission, by that the arbiter. Throws
/// std::invalid_argument for a hint that cannot be had; `validate` judges the rest.
ScheduleOptions resolve_options(const Pipeline& pipeline, const ScheduleWishes& wishes);

}  // namespace rrfp
