// Guards: where the calling thread is StarPU's worker, a task that throws and an interruption that
// throws end `run` with the very exception here and with a message on the other rank, although no
// thread is left to pass the failure on once `run` has returned.

#include <starpu_mpi.h>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/starpu/pipeline_runner.h"
#include "tests/starpu/checked_pipeline.h"
#include "tests/starpu/driven_runtime.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;

struct Interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

const Pipeline pipeline{.placement = Placement::loop(2, 2), .microbatches = 6};

std::unique_ptr<Dispatcher> dispatcher() {
    return make_dispatcher(pipeline, DrivenRuntime::get().rank(), equal_limits(pipeline, "bf", 4));
}

TEST(DrivenWorkerFailure, OfATaskReachesBothRanks) {
    const Task failing{TaskKind::backward, 2, 3};
    CheckedStages stages(pipeline);
    PipelineRunner runner(DrivenRuntime::get(), pipeline, dispatcher(), failing_at(stages, failing),
                          {});
    try {
        runner.run(0);
        FAIL() << "the failure did not reach rank " << DrivenRuntime::get().rank();
    } catch (const TaskFailure& failure) {
        EXPECT_EQ(failure.rank(), 0);
        EXPECT_EQ(failure.task(), failing);
        EXPECT_THAT(failure.what(), ::testing::HasSubstr("token 300 of 256"));
    }
    meet_driven();
}

TEST(DrivenWorkerFailure, OfAnInterruptionReachesBothRanks) {
    const int rank = DrivenRuntime::get().rank();
    CheckedStages stages(pipeline);
    int looks = 0;
    PipelineRunner runner(DrivenRuntime::get(), pipeline, dispatcher(), std::ref(stages),
                          {.message_delay = [](std::uint64_t, const Task&) { return 20.0; },
                           .interruption =
                               [&] {
                                   if (rank == 1 && ++looks == 3) throw Interrupted("signal 2");
                               }});
    if (rank == 1) {
        EXPECT_THROW(runner.run(0), Interrupted);
    } else {
        try {
            runner.run(0);
            FAIL() << "the interruption did not reach rank 0";
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "rank 1: interrupted: signal 2");
        }
    }
    meet_driven();
}

}  // namespace
}  // namespace rrfp
