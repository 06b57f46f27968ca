// Invariant: a trial's text and failure reach the parent, whatever it throws and however it ends,
// within its time; and nothing of the parent's code runs in the child.
#include "runtime/system/child_trial.h"

#include <chrono>
#include <signal.h>
#include <stdexcept>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rrfp {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;
using ::testing::HasSubstr;

TEST(ChildTrial, gives_what_the_trial_returned) {
    const std::string text(100'000, 'x');
    const TrialResult result = try_in_child([&] { return text; }, 10);
    EXPECT_TRUE(result.succeeded);
    EXPECT_EQ(result.text, text);
}

TEST(ChildTrial, gives_what_an_exception_says) {
    const TrialResult result =
        try_in_child([]() -> std::string { throw std::runtime_error("no luck"); }, 10);
    EXPECT_FALSE(result.succeeded);
    EXPECT_EQ(result.text, "no luck");
}

TEST(ChildTrial, a_foreign_exception_stays_in_the_child) {
    const pid_t parent = getpid();
    TrialResult result;
    EXPECT_NO_THROW(result = try_in_child([]() -> std::string { throw 42; }, 10));
    EXPECT_EQ(getpid(), parent);
    EXPECT_FALSE(result.succeeded);
    EXPECT_THAT(result.text, HasSubstr("not a std::exception"));
}

TEST(ChildTrial, names_the_signal_that_ended_it) {
    const auto trial = []() -> std::string {
        raise(SIGKILL);
        return "";
    };
    const TrialResult result = try_in_child(trial, 10);
    EXPECT_FALSE(result.succeeded);
    EXPECT_EQ(result.text, "ended by signal 9");
}

TEST(ChildTrial, ends_a_trial_that_ignores_every_signal) {
    const auto begin = steady_clock::now();
    const auto trial = []() -> std::string {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, nullptr);
        for (;;) pause();
    };
    const TrialResult result = try_in_child(trial, 1);
    EXPECT_LT(steady_clock::now() - begin, seconds(10));
    EXPECT_FALSE(result.succeeded);
    EXPECT_EQ(result.text, "no answer within 1 s");
}

TEST(ChildTrial, does_not_wait_for_a_process_that_the_trial_leaves) {
    const auto begin = steady_clock::now();
    const auto trial = []() -> std::string {
        if (fork() == 0) {
            setsid();
            sleep(20);
            _exit(0);
        }
        return "left one";
    };
    EXPECT_EQ(try_in_child(trial, 10).text, "left one");
    EXPECT_LT(steady_clock::now() - begin, seconds(10));
}

}  // namespace
}  // namespace rrfp
