// Guards: a task that ends with an exception ends `run` on its rank with the exception's text,
// rank, stage and microbatch, and reaches the other ranks, none of which calls a body with made-up
// values or waits for ever; an arbiter that throws does not take the process down either, and a
// delay that no timer can keep is refused before anything runs.

#include <limits>
#include <starpu.h>
#include <starpu_mpi.h>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/starpu/pipeline_runner.h"
#include "tests/starpu/checked_pipeline.h"
#include "tests/starpu/test_runtime.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;

/// After a failure a job is aborted; these tests go on, so they let StarPU run dry first.
void drain() {
    ASSERT_EQ(starpu_mpi_wait_for_all(MPI_COMM_WORLD), 0);
    meet();
}

TEST(PipelineFailure, NamesRankStageAndMicrobatchOnEveryRank) {
    const Pipeline pipeline{.placement = Placement({3, 2, 1, 0}), .microbatches = 6};
    CheckedStages stages(pipeline);
    const Task failing{TaskKind::forward, 1, 3};
    PipelineRunner runner(
        TestRuntime::get(), pipeline,
        make_dispatcher(pipeline, TestRuntime::get().rank(), equal_limits(pipeline, "bf", 4)),
        failing_at(stages, failing), {});
    try {
        runner.run(0);
        FAIL() << "the failure did not reach rank " << TestRuntime::get().rank();
    } catch (const TaskFailure& failure) {
        EXPECT_STREQ(failure.what(),
                     "rank 2, stage 1, microbatch 3: forward failed: token 300 of 256");
        EXPECT_EQ(failure.rank(), 2);
        EXPECT_EQ(failure.task(), failing);
        if (TestRuntime::get().rank() == 2) {
            EXPECT_THROW(std::rethrow_exception(failure.cause()), std::out_of_range);
        }
    }
    EXPECT_THROW(runner.run(1), std::logic_error) << "a failed runner must not run again";
    drain();
}

TEST(PipelineFailure, RefusesAResultThatCannotBeSent) {
    const Pipeline pipeline{.placement = Placement::loop(4), .microbatches = 2};
    CheckedStages stages(pipeline);
    PipelineRunner runner(
        TestRuntime::get(), pipeline,
        make_dispatcher(pipeline, TestRuntime::get().rank(), equal_limits(pipeline, "bf", 4)),
        [&](const Task& task, std::uint64_t iteration, const TensorList& inputs,
            const TensorList& gradients) {
            TensorList result = stages(task, iteration, inputs, gradients);
            if (task == Task{TaskKind::backward, 3, 1}) {
                DLManagedTensor* elsewhere = result[0].to_dlpack();
                elsewhere->dl_tensor.device = {kDLCUDA, 1};
                result[0] = Tensor::adopt(elsewhere);
            }
            return result;
        },
        {});
    try {
        runner.run(0);
        FAIL() << "the failure did not reach rank " << TestRuntime::get().rank();
    } catch (const TaskFailure& failure) {
        EXPECT_EQ(failure.task(), (Task{TaskKind::backward, 3, 1}));
        EXPECT_THAT(failure.what(), ::testing::HasSubstr("copy it to host memory"));
    }
    drain();
}

/// Names a task that is not there.
class BrokenArbiter : public Arbiter {
    std::string_view name() const override { return "broken"; }
    std::optional<Task> choose(const Candidates& candidates) override {
        if (candidates.state().tasks_completed() < 1) return candidates.first_forward();
        return Task{TaskKind::backward, 0, 1};
    }
};

TEST(PipelineFailure, ReportsAnArbiterThatThrows) {
    const Pipeline pipeline{.placement = Placement::loop(1), .microbatches = 3};
    CheckedStages stages(pipeline);
    PipelineRunner runner(
        TestRuntime::get(), pipeline,
        std::make_unique<Dispatcher>(pipeline, 0, std::make_unique<BrokenArbiter>(),
                                     std::vector<std::unique_ptr<Filter>>{}),
        std::ref(stages), {.world_ranks = {TestRuntime::get().rank()}});
    try {
        runner.run(0);
        FAIL() << "the arbiter's failure was lost";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("arbitration failed"));
        EXPECT_THAT(error.what(), ::testing::HasSubstr("0B1"));
    }
    EXPECT_EQ(stages.calls(), 1U);
    drain();
}

TEST(PipelineFailure, RefusesADelayThatIsNone) {
    const Pipeline pipeline{.placement = Placement::loop(4), .microbatches = 3};
    CheckedStages stages(pipeline);
    PipelineRunner runner(
        TestRuntime::get(), pipeline,
        make_dispatcher(pipeline, TestRuntime::get().rank(), equal_limits(pipeline, "bf", 4)),
        std::ref(stages), {.message_delay = [](std::uint64_t, const Task&) {
            return std::numeric_limits<double>::quiet_NaN();
        }});
    try {
        runner.run(5);
        FAIL() << "a message with this delay would never be sent";
    } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("in iteration 5 is nan ms"));
    }
    EXPECT_EQ(stages.calls(), 0U);
    drain();
}

TEST(PipelineFailure, OfASubmissionReachesTheOtherRanksAndIsFinal) {
    const Pipeline pipeline{.placement = Placement::loop(4), .microbatches = 3};
    CheckedStages stages(pipeline);
    const int rank = TestRuntime::get().rank();
    PipelineRunner runner(TestRuntime::get(), pipeline,
                          make_dispatcher(pipeline, rank, equal_limits(pipeline, "bf", 4)),
                          std::ref(stages),
                          {.message_delay = [rank](std::uint64_t, const Task& task) {
                              if (rank == 1 && task.microbatch == 1) throw std::domain_error("why");
                              return 0.0;
                          }});
    try {
        runner.run(0);
        FAIL() << "the failure did not reach rank " << rank;
    } catch (const std::domain_error& error) {
        EXPECT_EQ(rank, 1);
        EXPECT_STREQ(error.what(), "why");
    } catch (const std::runtime_error& error) {
        EXPECT_NE(rank, 1);
        EXPECT_STREQ(error.what(), "rank 1: the submission of microbatch 1: why");
    }
    EXPECT_THROW(runner.run(1), std::logic_error) << "a failed runner must not run again";
    drain();
}

TEST(PipelineFailure, RefusesAPipelineThatHasOtherRanksThanTheProgram) {
    for (const int ranks : {3, 5}) {
        const Pipeline pipeline{.placement = Placement::loop(ranks), .microbatches = 2};
        CheckedStages stages(pipeline);
        const auto make = [&] {
            const int rank = TestRuntime::get().rank();
            PipelineRunner(TestRuntime::get(), pipeline,
                           make_dispatcher(pipeline, rank, equal_limits(pipeline, "bf", 4)),
                           std::ref(stages), {});
        };
        if (ranks < 4 && TestRuntime::get().rank() < ranks) continue;  // it may start later ranks
        try {
            make();
            FAIL() << "a pipeline of " << ranks << " ranks was accepted on 4";
        } catch (const std::invalid_argument& error) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr("start"));
        }
    }
}

}  // namespace
}  // namespace rrfp
