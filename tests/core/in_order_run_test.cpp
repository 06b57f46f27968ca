// Lists run as far as what they read allows, each entry as early as it can.

#include "runtime/core/in_order_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::ElementsAre;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
const Pipeline two_ranks{.placement = Placement::loop(2), .microbatches = 2};

TEST(InOrderRun, StartsEachEntryWhenItsRankAndInputsAre) {
    const HintOrder lists = {{{F, 0, 0}, {F, 0, 1}, {B, 0, 0}, {B, 0, 1}},
                             {{F, 1, 0}, {B, 1, 0}, {F, 1, 1}, {B, 1, 1}}};
    InOrderRun run(two_ranks, lists, [](const Task& task) { return task.kind == F ? 1. : 2.; });
    run.advance();
    EXPECT_TRUE(run.finished());
    EXPECT_THAT(run.starts(), ElementsAre(ElementsAre(0, 1, 4, 7), ElementsAre(1, 2, 4, 5)));
}

TEST(InOrderRun, ManyRanksThatWaitForOneAnotherTakeNoLonger) {
    // Each rank waits for the next: going round all of them for each would take minutes.
    constexpr int ranks = 100'000;
    const Pipeline chain{.placement = Placement::loop(ranks), .microbatches = 1};
    HintOrder lists;
    for (int rank = 0; rank < ranks; ++rank) lists.push_back({{F, rank, 0}, {B, rank, 0}});
    InOrderRun run(chain, lists);
    run.advance();
    EXPECT_TRUE(run.finished());
    EXPECT_EQ(run.starts().front().back(), 2.0 * ranks - 1);
}

TEST(InOrderRun, SaysWhatStopsItAndGoesOnWithoutIt) {
    const HintOrder lists = {{{F, 0, 0}, {B, 0, 0}, {F, 0, 1}, {B, 0, 1}},
                             {{F, 1, 0}, {F, 1, 1}, {B, 1, 0}, {B, 1, 1}}};
    InOrderRun run(two_ranks, lists);
    run.advance();
    EXPECT_FALSE(run.finished());
    EXPECT_EQ(run.position(0), 1u);
    EXPECT_EQ(run.awaited(0), (Task{B, 1, 0}));
    EXPECT_EQ(run.awaited(1), (Task{F, 0, 1}));
    run.waive({B, 1, 0});
    run.advance();
    EXPECT_TRUE(run.finished());
    EXPECT_EQ(run.awaited(0), std::nullopt);
}

}  // namespace
}  // namespace rrfp
