#pragma once

#include <chrono>
#include <functional>
#include <starpu.h>

#include "runtime/core/dispatcher.h"
#include "runtime/starpu/agreement/group_agreement.h"
#include "runtime/starpu/decision/policy_events.h"
#include "runtime/starpu/decision/task_label.h"

namespace rrfp {

/// The scheduling policy `rrfp`, for `starpu_conf::sched_policy`. The same object is what
/// `librrfp_policy.so` hands to any StarPU program through STARPU_SCHED_LIB.
///
/// Tasks that carry a TaskLabel are arbitrated by the dispatcher of their context; all others, and
/// what the dispatcher leaves idle, run in order of priority, then of arrival.
starpu_sched_policy* scheduling_policy();

/// Lets `dispatcher` arbitrate the labelled tasks of `context`; nullptr takes it back, and no call
/// into it or into `fault` is under way any more on return. The caller keeps it alive, and touches
/// it only through `with_dispatcher` or while no labelled task exists. Throws std::logic_error when
/// the policy of the context is not `rrfp`, or for an agreement in a context of several workers.
///
/// With an `agreement`, made over this dispatcher, the ranks of its group dispatch in one order. It
/// is kept alive and taken back like the dispatcher.
void set_dispatcher(unsigned context, Dispatcher* dispatcher, DispatchFault fault = {},
                    GroupAgreement* agreement = nullptr);

/// Calls `use` with the dispatcher of `context` and the rules of its agreement, null where it has
/// none, while no push, pop or completion touches them; not at all when there is no dispatcher.
/// `use` must not call StarPU. False where a decision under way did not end within `patience`, as
/// that of an arbiter that never returns: `use` is not called then.
bool with_dispatcher(unsigned context, std::chrono::milliseconds patience,
                     const std::function<void(Dispatcher&, Agreement*)>& use);

/// Bounds the time that an idle worker of `context` sleeps in a pop; 100 ms unless set.
void limit_sleep(unsigned context, std::chrono::microseconds longest);
/// Ends the sleep of a worker of `context`, or the next one if none sleeps now. Any thread.
void wake_worker(unsigned context);

/// What the policy has done in `context` since it began.
PolicyMeasures policy_measures(unsigned context);

}  // namespace rrfp
