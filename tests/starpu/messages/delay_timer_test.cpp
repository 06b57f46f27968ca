// Invariant: every action runs once, not before its time, in the order of the times asked for; what
// is due when the timer goes is run, the rest dropped.
#include "runtime/starpu/messages/delay_timer.h"

#include <chrono>
#include <future>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

using Clock = std::chrono::steady_clock;

TEST(DelayTimer, runs_actions_by_time_and_not_before_it) {
    DelayTimer timer;
    const std::vector<double> delays_ms = {12, 3, 7, 3, 0};
    const auto start = Clock::now();
    std::mutex mutex;
    std::vector<std::size_t> order;
    std::vector<double> late_ms(delays_ms.size());
    std::promise<void> all;
    for (std::size_t i = 0; i < delays_ms.size(); ++i) {
        timer.after(delays_ms[i], [&, i] {
            const std::chrono::duration<double, std::milli> passed = Clock::now() - start;
            const std::lock_guard lock(mutex);
            late_ms[i] = passed.count() - delays_ms[i];
            order.push_back(i);
            if (order.size() == delays_ms.size()) all.set_value();
        });
    }
    all.get_future().wait();
    for (const double late : late_ms) EXPECT_GE(late, 0);
    const std::lock_guard lock(mutex);
    // Two of 3 ms: each was asked for later than the one before it.
    const auto last_three = std::vector<std::size_t>(order.end() - 2, order.end());
    EXPECT_EQ(last_three, (std::vector<std::size_t>{2, 0}));
}

TEST(DelayTimer, an_action_may_ask_for_another) {
    DelayTimer timer;
    std::promise<void> done;
    timer.after(0, [&] { timer.after(0, [&] { done.set_value(); }); });
    EXPECT_EQ(done.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
}

TEST(DelayTimer, drops_what_is_not_due_at_its_end) {
    bool ran = false;
    const auto owned = std::make_shared<int>(0);
    {
        DelayTimer timer;
        timer.after(1e9, [&ran, owned] { ran = true; });
    }
    EXPECT_FALSE(ran);
    EXPECT_EQ(owned.use_count(), 1);
}

TEST(DelayTimer, accepts_requests_from_many_threads) {
    constexpr int threads = 4;
    constexpr int each = 200;
    std::atomic<int> ran = 0;
    std::promise<void> all;
    DelayTimer timer;
    std::vector<std::thread> callers;
    for (int t = 0; t < threads; ++t) {
        callers.emplace_back([&, t] {
            for (int i = 0; i < each; ++i) {
                timer.after((t + i) % 3, [&] {
                    if (++ran == threads * each) all.set_value();
                });
            }
        });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(all.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
}

TEST(DelayTimer, refuses_what_is_no_delay) {
    DelayTimer timer;
    EXPECT_THROW(timer.after(-1, [] {}), std::invalid_argument);
    EXPECT_THROW(timer.after(std::numeric_limits<double>::quiet_NaN(), [] {}),
                 std::invalid_argument);
    EXPECT_THROW(timer.after(std::numeric_limits<double>::infinity(), [] {}),
                 std::invalid_argument);
}

}  // namespace
}  // namespace rrfp
