// Guards: any StarPU program gets the policy through STARPU_SCHED_LIB and STARPU_SCHED, without a
// line of code, under its name, in every scheduling context.

#include <atomic>
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "tests/starpu/starpu_session_for_tests.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;

class PolicyPlugin : public ::testing::Test {
  protected:
    void SetUp() override {
        setenv("STARPU_SCHED_LIB", RRFP_POLICY_PLUGIN, 1);
        setenv("STARPU_SCHED", "rrfp", 1);
    }
    void TearDown() override {
        unsetenv("STARPU_SCHED_LIB");
        unsetenv("STARPU_SCHED");
    }
};

TEST_F(PolicyPlugin, RunsTheTasksOfAForeignProgram) {
    for (int time = 0; time < 2; ++time) {
        PlainStarpu starpu(3, nullptr);
        ASSERT_EQ(PlainStarpu::policy_name(), "rrfp");
        int value = 0;
        starpu_data_handle_t handle = nullptr;
        starpu_variable_data_register(&handle, STARPU_MAIN_RAM,
                                      reinterpret_cast<std::uintptr_t>(&value), sizeof(value));
        const std::function<void()> increment = [&] { ++value; };
        std::atomic<int> independent = 0;
        const std::function<void()> count = [&] { ++independent; };
        for (int i = 0; i < 500; ++i) {
            submit(increment, [&](starpu_task& task) {
                task.nbuffers = 1;
                task.handles[0] = handle;
                task.modes[0] = STARPU_RW;
            });
            submit(count);
        }
        starpu_task_wait_for_all();
        starpu_data_unregister(handle);
        EXPECT_EQ(value, 500);
        EXPECT_EQ(independent, 500);
    }
}

TEST_F(PolicyPlugin, ServesAContextOfItsOwn) {
    PlainStarpu starpu(2, nullptr);
    int worker = 1;
    const unsigned context =
        starpu_sched_ctx_create(&worker, 1, "second", STARPU_SCHED_CTX_POLICY_NAME, "rrfp", 0);
    std::atomic<int> wrong = 0;
    const std::function<void()> work = [&] {
        if (starpu_worker_get_id() != 1) ++wrong;
    };
    for (int i = 0; i < 50; ++i) {
        submit(work, [&](starpu_task& task) { task.sched_ctx = context; });
    }
    starpu_task_wait_for_all_in_ctx(context);
    EXPECT_EQ(wrong, 0);
    starpu_sched_ctx_delete(context);
}

}  // namespace
}  // namespace rrfp
