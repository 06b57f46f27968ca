#include "runtime/starpu/decision/policy.h"

#include <climits>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "runtime/starpu/decision/group_decider.h"
#include "runtime/starpu/decision/lone_decider.h"
#include "runtime/starpu/decision/scheduling_context.h"

namespace rrfp {
namespace {

constexpr const char* policy_name = "rrfp";

SchedulingContext& state(unsigned context) {
    return *static_cast<SchedulingContext*>(starpu_sched_ctx_get_policy_data(context));
}

/// As `state`, for callers that StarPU did not choose.
SchedulingContext& checked_state(unsigned context) {
    const starpu_sched_policy* policy = starpu_sched_get_sched_policy_in_ctx(context);
    const char* name = policy != nullptr ? policy->policy_name : "none";
    if (std::string_view(name) != policy_name) {
        throw std::logic_error(fmt::format("scheduling context {} has policy '{}', not '{}'",
                                           context, name, policy_name));
    }
    return state(context);
}

void init_sched(unsigned context) {
    // A program may use any int as priority.
    if (starpu_sched_ctx_min_priority_is_set(context) == 0) {
        starpu_sched_ctx_set_min_priority(context, INT_MIN);
    }
    if (starpu_sched_ctx_max_priority_is_set(context) == 0) {
        starpu_sched_ctx_set_max_priority(context, INT_MAX);
    }
    starpu_sched_ctx_set_policy_data(context, new SchedulingContext);
}

void deinit_sched(unsigned context) { delete &state(context); }

void add_workers(unsigned context, int* workers, unsigned count) {
    state(context).add_workers(workers, count);
}

void remove_workers(unsigned context, int* workers, unsigned count) {
    state(context).remove_workers(workers, count);
}

int push_task(starpu_task* task) {
    state(task->sched_ctx).push(task);
    return 0;
}

void push_task_notify(starpu_task* /*task*/, int /*worker*/, int /*model_worker*/,
                      unsigned context) {
    state(context).expect_elsewhere();
}

starpu_task* pop_task(unsigned context) { return state(context).pop(starpu_worker_get_id_check()); }

void pre_exec_hook(starpu_task* /*task*/, unsigned context) {
    state(context).started(starpu_worker_get_id_check());
}

void post_exec_hook(starpu_task* task, unsigned context) {
    state(context).completed(starpu_worker_get_id_check(), task);
}

}  // namespace

starpu_sched_policy* scheduling_policy() {
    static starpu_sched_policy policy = [] {
        starpu_sched_policy made{};
        made.init_sched = init_sched;
        made.deinit_sched = deinit_sched;
        made.add_workers = add_workers;
        made.remove_workers = remove_workers;
        made.push_task = push_task;
        made.push_task_notify = push_task_notify;
        made.pop_task = pop_task;
        made.pre_exec_hook = pre_exec_hook;
        made.post_exec_hook = post_exec_hook;
        made.policy_name = policy_name;
        made.policy_description = "readiness first, ranked by a hint order";
        made.worker_type = STARPU_WORKER_LIST;
        return made;
    }();
    return &policy;
}

void set_dispatcher(unsigned context, Dispatcher* dispatcher, DispatchFault fault,
                    GroupAgreement* agreement) {
    std::unique_ptr<Decider> decider;
    if (dispatcher != nullptr && agreement != nullptr) {
        decider = std::make_unique<GroupDecider>(*dispatcher, *agreement);
    } else if (dispatcher != nullptr) {
        decider = std::make_unique<LoneDecider>(*dispatcher);
    }
    checked_state(context).attach(std::move(decider), std::move(fault));
}

bool with_dispatcher(unsigned context, std::chrono::milliseconds patience,
                     const std::function<void(Dispatcher&, Agreement*)>& use) {
    return checked_state(context).use(patience, use);
}

void limit_sleep(unsigned context, std::chrono::microseconds longest) {
    checked_state(context).limit_sleep(longest);
}

void wake_worker(unsigned context) { state(context).wake(); }

PolicyMeasures policy_measures(unsigned context) { return checked_state(context).measures(); }

}  // namespace rrfp
