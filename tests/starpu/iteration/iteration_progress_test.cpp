// Guards: microbatches are submitted in order and never more than the window at once; the
// submitting thread wakes for room, for the end and for a failure, whichever comes, and for nothing
// else.

#include "runtime/starpu/iteration/iteration_progress.h"

#include <future>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace rrfp {
namespace {

TEST(IterationProgress, KeepsTheWindow) {
    IterationProgress progress;
    progress.begin(5, 2, 1);
    EXPECT_EQ(progress.next(), 0);
    EXPECT_EQ(progress.next(), 1);
    progress.ended(true);
    EXPECT_EQ(progress.next(), 2);
    progress.ended(true);
    progress.ended(true);
    EXPECT_EQ(progress.next(), 3);
    EXPECT_EQ(progress.next(), 4);
    EXPECT_FALSE(progress.idle());
    progress.ended(true);
    progress.ended(true);
    EXPECT_TRUE(progress.idle());
    EXPECT_EQ(progress.next(), std::nullopt);
    EXPECT_EQ(progress.total(), 5U);
}

TEST(IterationProgress, WaitsForSendsAfterTheLastMicrobatchHasLeft) {
    IterationProgress progress;
    progress.begin(1, 1, 3);
    EXPECT_EQ(progress.next(), 0);
    auto end = std::async(std::launch::async, [&] { return progress.next(); });
    progress.ended(false);
    progress.ended(true);
    EXPECT_FALSE(progress.idle());
    progress.ended(false);
    EXPECT_EQ(end.get(), std::nullopt);
}

TEST(IterationProgress, RunsAllMicrobatchesUnderConcurrentEnds) {
    for (int round = 0; round < 200; ++round) {
        IterationProgress progress;
        progress.begin(8, 3, 2);
        std::vector<std::thread> threads;
        int expected = 0;
        while (const auto microbatch = progress.next()) {
            ASSERT_EQ(*microbatch, expected++);
            threads.emplace_back([&] {
                progress.ended(false);
                progress.ended(true);
            });
        }
        EXPECT_EQ(expected, 8);
        for (std::thread& thread : threads) thread.join();
    }
}

TEST(IterationProgress, ThrowsTheFirstFailureAtOnceAndForGood) {
    IterationProgress progress;
    progress.begin(1, 1, 1);
    EXPECT_EQ(progress.next(), 0);
    auto waiting = std::async(std::launch::async, [&] { return progress.next(); });
    const auto remote = std::make_shared<RemoteFailure>();
    progress.fail(std::make_exception_ptr(std::range_error("first")), remote);
    progress.fail(std::make_exception_ptr(std::domain_error("second")), nullptr);
    EXPECT_THROW(waiting.get(), std::range_error);
    EXPECT_EQ(progress.failure(), remote);
    EXPECT_THROW(progress.begin(1, 1, 1), std::logic_error);
}

TEST(IterationProgress, SubmitsWhatTheWindowAdmitsAfterAFailureToo) {
    IterationProgress progress;
    progress.begin(4, 3, 1);
    EXPECT_EQ(progress.next(), 0);
    progress.fail(std::make_exception_ptr(std::range_error("early")), nullptr);
    EXPECT_EQ(progress.next(), 1);
    EXPECT_EQ(progress.poll().submit, 2);
    EXPECT_THROW(progress.next(), std::range_error);
    EXPECT_THROW(progress.poll(), std::range_error);
}

}  // namespace
}  // namespace rrfp
