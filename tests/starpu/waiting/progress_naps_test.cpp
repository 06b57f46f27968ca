// Invariant: the progress thread polls again after whatever may have brought news. In vain, it
// sleeps: shortly where no ring is to be expected, growing to the full length elsewhere, since a
// ring may come before what it announces can be found.
#include "runtime/starpu/waiting/progress_naps.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr bool ring = true;
constexpr bool no_ring = false;
constexpr PollingCycle nothing{};
constexpr PollingCycle small{.pending = 1, .pending_bytes = 100, .largest_pending = 100};
constexpr PollingCycle large{
    .pending = 2, .pending_bytes = 1'000'100, .largest_pending = 1'000'000};

TEST(ProgressNaps, PollsAgainAfterARingOrAFind) {
    ProgressNaps naps(true, true);
    EXPECT_EQ(naps.after(nothing, ring, 0), std::nullopt);
    EXPECT_EQ(naps.after({.fruitful = true}, no_ring, 0), std::nullopt);
    EXPECT_NE(naps.after(nothing, no_ring, 0), std::nullopt);
}

TEST(ProgressNaps, AMessageThatIsNotThereYetAtItsRingIsFoundAfterFourTimesItsDelay) {
    for (const bool all_ring : {true, false}) {
        const nanoseconds first = all_ring ? nanoseconds(1ms) : nanoseconds(50us);
        const nanoseconds longest = all_ring ? nanoseconds(100ms) : nanoseconds(500us);
        ProgressNaps naps(all_ring, true);
        for (const bool rang : {true, false}) {
            // A ring, or a fruitful cycle, begins anew.
            ASSERT_EQ(naps.after({.fruitful = !rang}, rang, 0), std::nullopt);
            nanoseconds waited{0};
            nanoseconds nap{0};
            for (int cycle = 0; cycle < 20; ++cycle) {
                nap = naps.after(nothing, no_ring, 0).value();
                ASSERT_LE(nap, std::max(first, 4 * waited));
                ASSERT_GE(nap, first);
                waited += nap;
            }
            EXPECT_EQ(nap, longest);
        }
    }
}

TEST(ProgressNaps, WhatNoRingAnnouncesIsLookedForSoon) {
    ProgressNaps naps(true, true);
    for (int cycle = 0; cycle < 20; ++cycle) {
        EXPECT_EQ(naps.after(small, no_ring, 0), 1ms);
        EXPECT_EQ(naps.after(large, no_ring, 0), 200us);
    }
}

TEST(ProgressNaps, LargeMessagesInSeveralCopiesKeepItAwakeWhileTheyMove) {
    ProgressNaps naps(true, false);
    constexpr std::int64_t ms = 1'000'000;
    EXPECT_EQ(naps.after(large, no_ring, 10 * ms), 0ms);
    EXPECT_EQ(naps.after(large, no_ring, 12 * ms), 0ms);
    EXPECT_EQ(naps.after(large, no_ring, 13 * ms), 200us) << "nothing moved for 3 ms";
    PollingCycle less = large;
    less.pending_bytes -= 100;
    EXPECT_EQ(naps.after(less, no_ring, 14 * ms), 0ms);
    EXPECT_EQ(naps.after(small, no_ring, 15 * ms), 1ms);
}

}  // namespace
}  // namespace rrfp
