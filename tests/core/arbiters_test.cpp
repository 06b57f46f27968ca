// Each arbiter's preference, told apart by what it takes when both directions are ready.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/core/schedule_options.h"

namespace rrfp {
namespace {

using ::testing::ElementsAre;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

std::unique_ptr<Dispatcher> dispatcher_of(const std::string& arbiter, std::vector<Task> hint = {},
                                          int microbatches = 4, int limit = 100, int chunks = 1) {
    const Pipeline pipeline{.placement = Placement::loop(1, chunks), .microbatches = microbatches};
    auto made = make_dispatcher(pipeline, 0,
                                {.arbiter = arbiter, .hint = {std::move(hint)}, .limits = {limit}});
    made->begin_iteration();
    return made;
}

/// Everything of microbatches 0..3 on one stage is ready.
std::unique_ptr<Dispatcher> all_ready(const std::string& arbiter, std::vector<Task> hint = {}) {
    auto made = dispatcher_of(arbiter, std::move(hint));
    for (int microbatch = 0; microbatch < 4; ++microbatch) {
        made->ready({F, 0, microbatch});
        made->ready({B, 0, microbatch});
    }
    return made;
}

/// The next `count` decisions, as actions; "-" where it waits.
std::vector<std::string> decide(Dispatcher& dispatcher, int count) {
    std::vector<std::string> actions;
    for (int i = 0; i < count; ++i) {
        const auto task = dispatcher.choose();
        actions.push_back(task ? to_action(*task) : "-");
        if (task) {
            dispatcher.completed(*task, 1);
        }
    }
    return actions;
}

TEST(Bf, Alternates) {
    EXPECT_THAT(decide(*all_ready("bf"), 8),
                ElementsAre("0B0", "0F0", "0B1", "0F1", "0B2", "0F2", "0B3", "0F3"));
}

TEST(Bf, TheTurnSurvivesBetweenChoices) {
    const auto bf = dispatcher_of("bf");
    bf->ready({F, 0, 0});
    EXPECT_THAT(decide(*bf, 2), ElementsAre("0F0", "-"));
    bf->ready({B, 0, 0});
    EXPECT_THAT(decide(*bf, 3), ElementsAre("0B0", "-", "-"));
    // A backward ran last, however long ago: it is a forward's turn.
    bf->ready({B, 0, 1});
    bf->ready({F, 0, 2});
    EXPECT_THAT(decide(*bf, 2), ElementsAre("0F2", "0B1"));
}

TEST(Bf, GivesTheTurnAwayWhenItCannotBeUsed) {
    const auto bf = dispatcher_of("bf");
    for (int microbatch = 0; microbatch < 3; ++microbatch) {
        bf->ready({B, 0, microbatch});
    }
    bf->ready({F, 0, 3});
    EXPECT_THAT(decide(*bf, 4), ElementsAre("0B0", "0F3", "0B1", "0B2"));
}

TEST(Fb, BeginsWithAForwardAfterAnIdleWait) {
    for (const auto& [arbiter, first] : {std::pair("fb", "0F1"), std::pair("bf", "0B0")}) {
        const auto dispatcher = dispatcher_of(arbiter);
        dispatcher->ready({F, 0, 0});
        EXPECT_THAT(decide(*dispatcher, 2), ElementsAre("0F0", "-"));
        dispatcher->ready({F, 0, 1});
        dispatcher->ready({B, 0, 0});
        EXPECT_EQ(decide(*dispatcher, 1).front(), first) << arbiter;
    }
}

TEST(Fb, AlternatesWhileItIsBusy) {
    EXPECT_THAT(decide(*all_ready("fb"), 4), ElementsAre("0B0", "0F0", "0B1", "0F1"));
}

TEST(Priorities, TakeTheirKindWhileOneIsReady) {
    EXPECT_THAT(decide(*all_ready("b-priority"), 5),
                ElementsAre("0B0", "0B1", "0B2", "0B3", "0F0"));
    EXPECT_THAT(decide(*all_ready("f-priority"), 5),
                ElementsAre("0F0", "0F1", "0F2", "0F3", "0B0"));
}

TEST(Priorities, ForwardPrefersLowMicrobatchesBackwardHighChunks) {
    const auto forwards = dispatcher_of("f-priority", {}, 4, 100, 2);
    const auto backwards = dispatcher_of("b-priority", {}, 4, 100, 2);
    for (const auto kind : {F, B}) {
        for (const Task& task : {Task{kind, 0, 1}, Task{kind, 1, 0}, Task{kind, 1, 1}}) {
            (kind == F ? forwards : backwards)->ready(task);
        }
    }
    EXPECT_THAT(decide(*forwards, 3), ElementsAre("1F0", "0F1", "1F1"));
    EXPECT_THAT(decide(*backwards, 3), ElementsAre("1B0", "1B1", "0B1"));
}

std::vector<Task> odd_list() {
    return {{F, 0, 2}, {B, 0, 2}, {F, 0, 0}, {F, 0, 3}, {B, 0, 0}, {F, 0, 1}, {B, 0, 3}, {B, 0, 1}};
}

TEST(Order, TakesTheFirstEntryThatIsReady) {
    const auto order = dispatcher_of("order", odd_list());
    order->ready({B, 0, 0});
    order->ready({F, 0, 3});
    order->ready({F, 0, 1});
    EXPECT_THAT(decide(*order, 1), ElementsAre("0F3"));
    order->ready({F, 0, 2});
    EXPECT_THAT(decide(*order, 4), ElementsAre("0F2", "0B0", "0F1", "-"));
}

TEST(Order, StepsOverWhatAFilterHoldsBack) {
    const auto order = dispatcher_of("order", odd_list(), 4, 1);
    for (int microbatch = 0; microbatch < 4; ++microbatch) {
        order->ready({F, 0, microbatch});
    }
    EXPECT_THAT(decide(*order, 2), ElementsAre("0F2", "-"));
    order->ready({B, 0, 2});
    EXPECT_THAT(decide(*order, 2), ElementsAre("0B2", "0F0"));
}

TEST(Order, StartsAnewWithEachIteration) {
    const auto order = all_ready("order", odd_list());
    decide(*order, 3);
    order->begin_iteration();
    order->ready({F, 0, 1});
    EXPECT_THAT(decide(*order, 2), ElementsAre("0F1", "-"));
}

TEST(Fixed, WaitsForTheNextEntry) {
    const auto fixed = dispatcher_of("fixed", odd_list());
    fixed->ready({F, 0, 0});
    fixed->ready({F, 0, 1});
    EXPECT_THAT(decide(*fixed, 1), ElementsAre("-"));
    fixed->ready({F, 0, 2});
    EXPECT_THAT(decide(*fixed, 2), ElementsAre("0F2", "-"));
    fixed->ready({B, 0, 2});
    EXPECT_THAT(decide(*fixed, 3), ElementsAre("0B2", "0F0", "-"));
}

TEST(Fixed, IsExemptFromFilters) {
    const auto fixed = dispatcher_of("fixed", {{F, 0, 0}, {F, 0, 1}, {B, 0, 1}, {B, 0, 0}}, 2, 1);
    fixed->ready({F, 0, 0});
    fixed->ready({F, 0, 1});
    EXPECT_THAT(decide(*fixed, 2), ElementsAre("0F0", "0F1"));
}

TEST(WeightGradients, RunWhenAnArbiterThatDoesNotRankThemWouldWait) {
    const Pipeline pipeline{
        .placement = Placement::loop(1), .microbatches = 2, .split_weight = true};
    const auto bf = make_dispatcher(pipeline, 0, {.arbiter = "bf", .limits = {9}});
    bf->begin_iteration();
    bf->ready({W, 0, 1});
    bf->ready({W, 0, 0});
    bf->ready({F, 0, 1});
    EXPECT_THAT(decide(*bf, 4), ElementsAre("0F1", "0W0", "0W1", "-"));
}

TEST(WeightGradients, WaitForTheirPlaceInAList) {
    const Pipeline pipeline{
        .placement = Placement::loop(1), .microbatches = 1, .split_weight = true};
    const HintOrder hint = {{{F, 0, 0}, {B, 0, 0}, {W, 0, 0}}};
    const auto fixed =
        make_dispatcher(pipeline, 0, {.arbiter = "fixed", .hint = hint, .limits = {1}});
    fixed->begin_iteration();
    fixed->ready({W, 0, 0});
    EXPECT_THAT(decide(*fixed, 1), ElementsAre("-"));
}

}  // namespace
}  // namespace rrfp
