// Whatever a user leaves open is chosen so that the run is accepted and has at least the memory of
// the fixed schedule of the same shape; whatever a user says stands.

#include "adapters/schedules/default_options.h"

#include <gtest/gtest.h>

#include "adapters/schedules/registry.h"
#include "runtime/core/hint_check.h"

namespace rrfp {
namespace {

using enum AdmissionRule;

Pipeline loop(int ranks, int chunks, int microbatches, bool split = false) {
    return {.placement = Placement::loop(ranks, chunks),
            .microbatches = microbatches,
            .split_weight = split};
}

TEST(DefaultOptions, AreAcceptedForEveryShapeAndLimit) {
    const auto check = [](const Placement& placement, const std::string& word) {
        for (const int microbatches : {1, 2, 7, 40}) {
            for (const bool split : {false, true}) {
                for (const bool deterministic : {false, true}) {
                    const Pipeline pipeline{.placement = placement,
                                            .microbatches = microbatches,
                                            .split_weight = split};
                    for (const int limit : {0, 1, 2, 3, 5, 1000}) {
                        ScheduleWishes wishes{.placement = word, .deterministic = deterministic};
                        if (limit > 0) wishes.limits.assign(placement.ranks(), limit);
                        EXPECT_NO_THROW(validate(pipeline, resolve_options(pipeline, wishes)))
                            << word << " " << microbatches << " " << limit;
                    }
                }
            }
        }
    };
    for (int ranks = 1; ranks <= 5; ++ranks) {
        for (int chunks = 1; chunks <= 4; ++chunks) {
            check(Placement::loop(ranks, chunks), "loop");
            check(Placement::wave(ranks, chunks), "wave");
        }
        check(Placement::v(ranks), "v");
    }
    check(Placement({0, 0, 1, 2, 2, 2, 1, 0}), "");
}

TEST(DefaultOptions, HaveTheMemoryOfTheFixedSchedule) {
    for (const bool split : {false, true}) {
        const Pipeline pipeline = loop(16, 4, 64, split);
        const ScheduleOptions options = resolve_options(pipeline, {.placement = "loop"});
        const ScheduleOptions fixed =
            resolve_options(pipeline, {.arbiter = "fixed", .placement = "loop"});
        EXPECT_EQ(fixed.limits, hint_levels(pipeline, fixed.hint));
        EXPECT_EQ(options.limits[0], fixed.limits[0]);
        EXPECT_GT(options.limits[0], 32);
        EXPECT_EQ(options.limits[15], 49);
        EXPECT_EQ(options.admission, window);
    }
}

TEST(DefaultOptions, GoByTheLimit) {
    const Pipeline pipeline = loop(4, 2, 16);  // interleaved 1F1B keeps 11, 9, 7, 5
    const auto chosen = [&](std::vector<int> limits) {
        const ScheduleOptions options =
            resolve_options(pipeline, {.placement = "loop", .limits = std::move(limits)});
        return std::string(name(options.admission)) + " " + options.arbiter;
    };
    EXPECT_EQ(chosen({11, 9, 7, 5}), "window tide");
    EXPECT_EQ(chosen({11, 9, 7, 4}), "graded f-priority");
    EXPECT_EQ(chosen({2, 2, 2, 2}), "graded f-priority");
    EXPECT_EQ(chosen({2, 2, 2, 1}), "drain bf");
}

TEST(DefaultOptions, LeaveWhatIsSaid) {
    const Pipeline pipeline = loop(4, 2, 16);
    const ScheduleOptions options = resolve_options(pipeline, {.arbiter = "order",
                                                               .hint = "looped-bfs",
                                                               .placement = "loop",
                                                               .limits = {9, 9, 9, 9},
                                                               .admission = drain,
                                                               .deterministic = true});
    EXPECT_EQ(options.arbiter, "order");
    EXPECT_EQ(options.hint, make_hint("looped-bfs", pipeline));
    EXPECT_EQ(options.limits, std::vector<int>(4, 9));
    EXPECT_EQ(options.admission, drain);
    EXPECT_TRUE(options.deterministic);
}

TEST(DefaultOptions, WithoutAScheduleForThePlacementTakeThePapersLimit) {
    const Pipeline pipeline{.placement = Placement({0, 0, 1, 1}), .microbatches = 40};
    const ScheduleOptions options = resolve_options(pipeline, {});
    EXPECT_EQ(options.limits, std::vector<int>(2, 32));
    EXPECT_EQ(options.admission, graded);
    EXPECT_EQ(options.arbiter, "bf");
}

}  // namespace
}  // namespace rrfp
