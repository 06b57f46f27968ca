#include "adapters/schedules/default_options.h"

#include "adapters/schedules/registry.h"
#include "runtime/core/arbiters/default_arbiter.h"
#include "runtime/core/default_admission.h"
#include "runtime/core/hint_check.h"

namespace rrfp {

ScheduleOptions resolve_options(const Pipeline& pipeline, const ScheduleWishes& wishes) {
    const std::string own = default_hint(pipeline, wishes.placement);
    ScheduleOptions options{.arbiter = wishes.arbiter,
                            .hint = hint_of(wishes.hint.empty() ? own : wishes.hint, pipeline),
                            .limits = wishes.limits,
                            .deterministic = wishes.deterministic,
                            .plugin = wishes.plugin};
    if (options.limits.empty()) {
        options.limits = options.arbiter == "fixed"
                             ? hint_levels(pipeline, options.hint)
                             : default_limits(pipeline, make_hint(own, pipeline));
    }
    options.admission = wishes.admission ? *wishes.admission
                                         : default_admission(pipeline, options.hint, options.limits,
                                                             options.deterministic);
    if (options.arbiter.empty()) {
        options.arbiter = default_arbiter(pipeline, options);
    }
    return options;
}

}  // namespace rrfp
