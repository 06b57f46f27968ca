// The two functions that StarPU looks up in the library named by STARPU_SCHED_LIB.

#include <starpu.h>
#include <starpu_scheduler.h>
#include <string_view>

#include "runtime/starpu/decision/policy.h"

extern "C" __attribute__((visibility("default"))) starpu_sched_policy* starpu_get_sched_lib_policy(
    const char* name) {
    starpu_sched_policy* policy = rrfp::scheduling_policy();
    return std::string_view(name) == policy->policy_name ? policy : nullptr;
}

extern "C" __attribute__((visibility("default"))) starpu_sched_policy**
starpu_get_sched_lib_policies() {
    static starpu_sched_policy* policies[] = {rrfp::scheduling_policy(), nullptr};
    return policies;
}
