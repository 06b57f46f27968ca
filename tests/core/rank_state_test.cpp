// D is forwards dispatched minus releases, at every moment, and an event that cannot happen is
// refused by name.

#include "runtime/core/rank_state.h"

#include <functional>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using ::testing::HasSubstr;

constexpr auto F = TaskKind::forward;
constexpr auto B = TaskKind::backward;
constexpr auto W = TaskKind::weight_gradient;

void run(RankState& state, const Task& task) {
    state.mark_ready(task);
    state.mark_dispatched(task);
    state.mark_completed(task);
}

TEST(RankState, ABackwardReleasesAMicrobatch) {
    RankState state({.placement = Placement::loop(2), .microbatches = 3}, 1);
    run(state, {F, 1, 0});
    run(state, {F, 1, 2});
    EXPECT_EQ(state.in_flight(), 2);
    state.mark_ready({B, 1, 2});
    state.mark_dispatched({B, 1, 2});
    EXPECT_EQ(state.in_flight(), 2) << "a release is a completed backward";
    state.mark_completed({B, 1, 2});
    EXPECT_EQ(state.in_flight(), 1);
    EXPECT_EQ(state.in_flight_high_water(), 2);
    EXPECT_EQ(state.next_undispatched(F, 0), 1);
}

TEST(RankState, AWeightGradientReleasesWhereTheBackwardIsSplit) {
    RankState state({.placement = Placement::loop(1), .microbatches = 1, .split_weight = true}, 0);
    run(state, {F, 0, 0});
    run(state, {B, 0, 0});
    EXPECT_EQ(state.in_flight(), 1);
    run(state, {W, 0, 0});
    EXPECT_EQ(state.in_flight(), 0);
    EXPECT_TRUE(state.finished());
}

TEST(RankState, AForwardReleasesItselfInEvaluation) {
    RankState state({.placement = Placement::loop(1), .microbatches = 2, .forward_only = true}, 0);
    run(state, {F, 0, 1});
    EXPECT_EQ(state.in_flight(), 0);
    run(state, {F, 0, 0});
    EXPECT_TRUE(state.finished());
    EXPECT_EQ(state.in_flight_high_water(), 1);
}

TEST(RankState, RemembersDirectionAndWaiting) {
    RankState state({.placement = Placement::loop(1), .microbatches = 2, .split_weight = true}, 0);
    EXPECT_FALSE(state.last_direction());
    run(state, {F, 0, 0});
    run(state, {B, 0, 0});
    state.mark_waited();
    EXPECT_TRUE(state.waited());
    run(state, {W, 0, 0});
    EXPECT_FALSE(state.waited());
    EXPECT_EQ(state.last_direction(), B) << "weight gradients have no direction";
}

TEST(RankState, StartsAnewWithEachIteration) {
    RankState state({.placement = Placement::loop(1), .microbatches = 2}, 0);
    run(state, {F, 0, 0});
    state.mark_ready({F, 0, 1});
    state.begin_iteration();
    EXPECT_EQ(state.ready().size(), 0);
    EXPECT_EQ(state.in_flight(), 0);
    EXPECT_EQ(state.in_flight_high_water(), 0);
    EXPECT_EQ(state.next_undispatched(F, 0), 0);
    EXPECT_EQ(state.tasks_completed(), 0);
    EXPECT_FALSE(state.last_direction());
    run(state, {F, 0, 0});
}

std::string refusal(const std::function<void(RankState&)>& event) {
    RankState state({.placement = Placement::loop(2), .microbatches = 2}, 1);
    run(state, {F, 1, 0});
    state.mark_ready({F, 1, 1});
    try {
        event(state);
    } catch (const std::logic_error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(RankState, RefusesWhatCannotHappen) {
    using State = RankState;
    EXPECT_THAT(refusal([](State& s) { s.mark_ready({F, 0, 0}); }), HasSubstr("rank 1: 0F0"));
    EXPECT_THAT(refusal([](State& s) { s.mark_ready({F, 1, 2}); }), HasSubstr("1F2"));
    EXPECT_THAT(refusal([](State& s) { s.mark_ready({F, 7, 0}); }), HasSubstr("7F0"));
    EXPECT_THAT(refusal([](State& s) { s.mark_ready({W, 1, 0}); }), HasSubstr("1W0"));
    EXPECT_THAT(refusal([](State& s) { s.mark_ready({F, 1, 1}); }), HasSubstr("twice"));
    EXPECT_THAT(refusal([](State& s) { s.mark_ready({F, 1, 0}); }), HasSubstr("after it was disp"));
    EXPECT_THAT(refusal([](State& s) { s.mark_dispatched({B, 1, 0}); }), HasSubstr("not ready"));
    EXPECT_THAT(refusal([](State& s) {
                    s.mark_completed({F, 1, 1});
                }),
                HasSubstr("not dispatched"));
}

}  // namespace
}  // namespace rrfp
