// Guards: where the calling thread is StarPU's worker, every task runs on it and on no other, an
// iteration does what it does with a worker of its own, the thread keeps its name and its cores,
// and waiting for a slow peer costs next to no processor time.

#include <pthread.h>
#include <sched.h>
#include <thread>

#include <gtest/gtest.h>

#include "runtime/core/submission_window.h"
#include "runtime/starpu/pipeline_runner.h"
#include "tests/starpu/checked_pipeline.h"
#include "tests/starpu/driven_runtime.h"
#include "tests/support/processor_time.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;

TEST(DrivenWorker, RunsEveryTaskOnTheCallingThread) {
    Runtime& runtime = DrivenRuntime::get();
    const auto self = std::this_thread::get_id();
    for (const int chunks : {1, 2}) {
        for (const bool split : {false, true}) {
            for (const double delay : {0.0, 1.0}) {
                const Pipeline pipeline{.placement = Placement::loop(4, chunks),
                                        .microbatches = 9,
                                        .split_weight = split};
                const ScheduleOptions options = equal_limits(pipeline, "bf", 3);
                CheckedStages stages(pipeline);
                PipelineRunner runner(runtime, pipeline,
                                      make_dispatcher(pipeline, runtime.rank(), options),
                                      [&](const Task& task, std::uint64_t iteration,
                                          const TensorList& inputs, const TensorList& gradients) {
                                          EXPECT_EQ(std::this_thread::get_id(), self);
                                          EXPECT_EQ(thread_name(), DrivenRuntime::name_before());
                                          return stages(task, iteration, inputs, gradients);
                                      },
                                      {.window = submission_window(pipeline, options),
                                       .message_delay = random_delays(delay)});
                for (std::uint64_t i = 0; i < 3; ++i) {
                    const RankIteration result = runner.run(i);
                    EXPECT_LE(result.in_flight_high_water, 3 + (chunks > 1 ? chunks : 0));
                }
                EXPECT_EQ(stages.calls(),
                          static_cast<std::size_t>(3 * pipeline.task_count(runtime.rank())));
                meet_driven();
            }
        }
    }
}

TEST(DrivenWorker, LeavesTheThreadUnbound) {
    cpu_set_t cores;
    ASSERT_EQ(sched_getaffinity(0, sizeof cores, &cores), 0);
    EXPECT_EQ(static_cast<unsigned>(CPU_COUNT(&cores)), std::thread::hardware_concurrency());
}

TEST(DrivenWorker, SleepsWhileItWaits) {
    Runtime& runtime = DrivenRuntime::get();
    const Pipeline pipeline{.placement = Placement::loop(4), .microbatches = 4};
    const ScheduleOptions options = equal_limits(pipeline, "bf", 4);
    CheckedStages stages(pipeline);
    int looks = 0;
    PipelineRunner runner(runtime, pipeline, make_dispatcher(pipeline, runtime.rank(), options),
                          std::ref(stages),
                          {.message_delay = [](std::uint64_t, const Task&) { return 100.0; },
                           .interruption = [&looks] { ++looks; }});
    const double began = Runtime::now_ms();
    const ProcessorTime time(ProcessorTime::Of::thread);
    runner.run(0);
    const double waited_s = (Runtime::now_ms() - began) / 1e3;
    EXPECT_GE(waited_s, 0.3);
    EXPECT_LT(time.used_s(), waited_s / 10);
    EXPECT_GE(looks, static_cast<int>(waited_s / 0.1)) << "signals were not looked for";
    meet_driven();
}

}  // namespace
}  // namespace rrfp
