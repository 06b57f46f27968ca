#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/core/admission_rule.h"
#include "runtime/core/arbiters/registry.h"
#include "runtime/core/dispatcher.h"

namespace rrfp {

class ArbiterPlugin;

/// How tasks are arbitrated: the `[schedule]` section of a job, resolved.
struct ScheduleOptions {
    std::string arbiter = "bf";
    /// The hint order Π: one list a rank. Some arbiters need one, and so does window admission.
    HintOrder hint;
    /// The bound on D at each rank; positive.
    std::vector<int> limits;
    /// Backward and weight gradient of a chunk in microbatch order: gradients are bit-identical.
    bool deterministic = false;
    AdmissionRule admission = AdmissionRule::drain;
    /// Where `arbiter` is looked up besides the library's own; null for none.
    std::shared_ptr<const ArbiterPlugin> plugin;
};

/// The names of the library's own arbiters, in the order documentation lists them.
std::vector<std::string> arbiter_names();

/// The arbiter that `options` names, the library's or the plugin's. An unknown name is a
/// std::invalid_argument that lists the known ones.
const ArbiterEntry& arbiter_entry(const ScheduleOptions& options);

/// Refuses, with std::invalid_argument that names the value and the remedy: an unknown arbiter, one
/// for the split backward without the split, a missing hint, a limit below one, a hint that misses,
/// repeats or misplaces a task; for `fixed` a list that never ends or, as for window admission, one
/// whose own peak exceeds the limit (names rank, peak and limit); what else window admission and
/// determinism ask of the hint; for graded admission a limit below the stages of its rank.
void validate(const Pipeline& pipeline, const ScheduleOptions& options);

/// The decisions of `rank` under `options`, which must be valid.
std::unique_ptr<Dispatcher> make_dispatcher(const Pipeline& pipeline, int rank,
                                            const ScheduleOptions& options);
/// As above, with the caller's own arbiter in the place of the one that `options` names.
std::unique_ptr<Dispatcher> make_dispatcher(const Pipeline& pipeline, int rank,
                                            const ScheduleOptions& options,
                                            std::unique_ptr<Arbiter> arbiter);

}  // namespace rrfp
