#pragma once

#include <cstdlib>
#include <functional>
#include <starpu.h>
#include <string>

#include <gtest/gtest.h>

namespace rrfp::testing {

/// StarPU with CPU workers alone and without MPI, from construction to destruction.
class PlainStarpu {
  public:
    /// With `policy` null, StarPU takes the one that STARPU_SCHED names.
    PlainStarpu(int workers, starpu_sched_policy* policy) {
        setenv("STARPU_WORKERS_NOBIND", "1", 1);
        setenv("STARPU_SILENT", "1", 1);
        if (policy != nullptr) unsetenv("STARPU_SCHED");
        starpu_conf conf;
        EXPECT_EQ(starpu_conf_init(&conf), 0);
        conf.ncpus = workers;
        conf.ncuda = 0;
        conf.nopencl = 0;
        conf.sched_policy = policy;
        EXPECT_EQ(starpu_init(&conf), 0);
    }
    ~PlainStarpu() { starpu_shutdown(); }
    PlainStarpu(const PlainStarpu&) = delete;
    PlainStarpu& operator=(const PlainStarpu&) = delete;

    static std::string policy_name() { return starpu_sched_get_sched_policy()->policy_name; }
};

/// Submits a task that calls `work`, which must outlive it; `change` sets what else it needs.
inline void submit(const std::function<void()>& work,
                   const std::function<void(starpu_task&)>& change = {}) {
    static starpu_codelet codelet = [] {
        starpu_codelet made;
        starpu_codelet_init(&made);
        made.cpu_funcs[0] = [](void*[], void* argument) {
            (*static_cast<const std::function<void()>*>(argument))();
        };
        made.nbuffers = STARPU_VARIABLE_NBUFFERS;
        made.name = "test";
        return made;
    }();
    starpu_task* task = starpu_task_create();
    task->cl = &codelet;
    task->cl_arg = const_cast<std::function<void()>*>(&work);
    if (change) change(*task);
    ASSERT_EQ(starpu_task_submit(task), 0);
}

}  // namespace rrfp::testing
