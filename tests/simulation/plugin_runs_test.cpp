// Invariant: an arbiter of a plugin runs in simulation as one of the library's; one that hesitates
// is asked again, and one that never answers ends the run with an error that names it and what is
// ready.

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/plugin_loader.h"
#include "tests/simulation/run_case.h"
#include "tests/support/plugins.h"

namespace rrfp {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

double makespan_ms(const std::string& arbiter, const Pipeline& pipeline, int limit) {
    const ScheduleOptions options{.arbiter = arbiter,
                                  .limits = flat(pipeline, limit),
                                  .plugin = ArbiterPlugin::load(test_plugin("arbiters"))};
    const Durations sample =
        Durations::draw(pipeline, {.forward_ms = 10, .backward_ms = 20, .weight_ms = 5},
                        {.compute_cv = 0.5, .comm_mean_ms = 5}, 0);
    return run_case(pipeline, options, sample).makespan_ms;
}

TEST(PluginRuns, AlternationOfAPluginIsBf) {
    for (const bool split : {false, true}) {
        const Pipeline pipeline{
            .placement = Placement::loop(4, 2), .microbatches = 12, .split_weight = split};
        EXPECT_EQ(makespan_ms("alternate", pipeline, 8), makespan_ms("bf", pipeline, 8));
    }
}

TEST(PluginRunsR18, AnArbiterThatWaitsAtFirstEndsAChainOfTasks) {
    // One worker and a limit of 1 make a chain of 100 tasks, none ready before the last has run.
    EXPECT_GT(makespan_ms("hesitant", one_stage_a_rank(1, 50), 1), 0);
    EXPECT_GT(makespan_ms("hesitant", one_stage_a_rank(4, 12), 3), 0);
}

TEST(PluginRunsR18, AnArbiterThatAlwaysWaitsIsAnErrorThatNamesIt) {
    try {
        makespan_ms("stubborn", one_stage_a_rank(1, 50), 1);
        FAIL() << "it ended";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("'stubborn (plugin "), HasSubstr("arbiters.so"),
                                        HasSubstr("ready: 0F0")));
    }
}

}  // namespace
}  // namespace rrfp
