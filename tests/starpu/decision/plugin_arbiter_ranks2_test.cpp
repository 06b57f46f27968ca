// Guards: an arbiter of a plugin drives a real pipeline; one that hesitates is asked again although
// nothing happens meanwhile; one that throws ends `run` with an error that names the plugin.

#include <starpu_mpi.h>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/plugin_loader.h"
#include "runtime/core/submission_window.h"
#include "runtime/starpu/pipeline_runner.h"
#include "tests/starpu/checked_pipeline.h"
#include "tests/starpu/test_runtime.h"
#include "tests/support/plugins.h"

namespace rrfp {
namespace {

using namespace rrfp::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

ScheduleOptions of_plugin(const std::string& arbiter, const Pipeline& pipeline, int limit) {
    return {.arbiter = arbiter,
            .limits = std::vector<int>(pipeline.placement.ranks(), limit),
            .plugin = ArbiterPlugin::load(test_plugin("arbiters"))};
}

/// One iteration on this rank; the number of tasks it ran.
std::size_t run(const Pipeline& pipeline, const ScheduleOptions& options, int rank,
                std::vector<int> world_ranks = {}) {
    CheckedStages stages(pipeline);
    PipelineRunner runner(
        TestRuntime::get(), pipeline, make_dispatcher(pipeline, rank, options), std::ref(stages),
        {.window = submission_window(pipeline, options), .world_ranks = std::move(world_ranks)});
    runner.run(0);
    return stages.calls();
}

TEST(PluginArbiter, DrivesAPipeline) {
    const Pipeline pipeline{.placement = Placement::loop(2), .microbatches = 8};
    const auto options = of_plugin("alternate", pipeline, 3);
    EXPECT_EQ(run(pipeline, options, TestRuntime::get().rank()), 16U);
    meet();
}

TEST(PluginArbiterR18, OneThatWaitsAtFirstEndsAChainOfTasks) {
    const Pipeline pipeline{.placement = Placement::loop(1), .microbatches = 50};
    const auto options = of_plugin("hesitant", pipeline, 1);
    EXPECT_EQ(run(pipeline, options, 0, {TestRuntime::get().rank()}), 100U);
    meet();
}

TEST(PluginArbiter, OneThatThrowsIsNamed) {
    const Pipeline pipeline{.placement = Placement::loop(1), .microbatches = 4};
    try {
        run(pipeline, of_plugin("failing", pipeline, 2), 0, {TestRuntime::get().rank()});
        FAIL() << "the failure was lost";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("'failing (plugin "), HasSubstr("arbiters.so"),
                                        HasSubstr("out of ideas")));
    }
    ASSERT_EQ(starpu_mpi_wait_for_all(MPI_COMM_WORLD), 0);
    meet();
}

}  // namespace
}  // namespace rrfp
