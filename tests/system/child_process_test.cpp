// Invariant: run_program gives a program's output and how it ended, waits for nobody else, leaves
// no process of the program's group and no descriptor, and says so when an end cannot be known.
#include "runtime/system/child_process.h"

#include <chrono>
#include <filesystem>
#include <signal.h>
#include <stdexcept>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/system/descriptor.h"

namespace rrfp {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

ProgramResult shell(const std::string& script, double longest_s = 0) {
    return run_program({"/bin/sh", "-c", script}, longest_s);
}

std::ptrdiff_t open_descriptors() {
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return std::distance(begin(files), end(files));
}

TEST(RunProgram, gives_both_outputs_and_the_exit_code) {
    const ProgramResult result = shell("echo out; echo err >&2; exit 3");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.output, "out\nerr\n");
}

TEST(RunProgram, names_the_signal_that_ended_it) {
    EXPECT_EQ(shell("kill -SEGV $$").exit_code, 128 + SIGSEGV);
}

TEST(RunProgram, takes_more_than_a_pipe_holds) {
    EXPECT_EQ(shell("head -c 1000000 /dev/zero; exit 4").output.size(), 1'000'000U);
}

TEST(RunProgram, does_not_wait_for_a_process_that_keeps_its_output_open) {
    const auto begin = steady_clock::now();
    const ProgramResult result = shell("setsid sleep 20 & echo $!");
    EXPECT_LT(steady_clock::now() - begin, seconds(10));
    EXPECT_EQ(result.exit_code, 0);
    kill(std::stoi(result.output), SIGKILL);
}

TEST(RunProgram, ends_what_is_left_of_its_group) {
    const ProgramResult result = shell("sleep 60 & echo $!");
    const pid_t left = std::stoi(result.output);
    const auto end = steady_clock::now() + seconds(10);
    // It is nobody's child here, so it is gone when init, or whoever reaps for it, has seen it.
    const auto state = [left] {
        return std::filesystem::exists("/proc/" + std::to_string(left) + "/exe");
    };
    while (state() && steady_clock::now() < end) usleep(1000);
    EXPECT_FALSE(state());
}

TEST(RunProgram, ends_what_runs_too_long) {
    const auto begin = steady_clock::now();
    const ProgramResult result = shell("echo begun; sleep 60", 0.2);
    EXPECT_LT(steady_clock::now() - begin, seconds(10));
    EXPECT_TRUE(result.ran_late);
    EXPECT_EQ(result.output, "begun\n");
    EXPECT_EQ(result.exit_code, 128 + SIGKILL);
}

TEST(RunProgram, starts_it_with_no_signal_blocked) {
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    EXPECT_EQ(shell("kill -TERM $$; exit 0").exit_code, 128 + SIGTERM);
    sigprocmask(SIG_SETMASK, &before, nullptr);
}

TEST(RunProgram, says_when_the_end_cannot_be_known) {
    const auto before = signal(SIGCHLD, SIG_IGN);
    EXPECT_THROW(shell("exit 3"), std::runtime_error);
    signal(SIGCHLD, before);
}

TEST(RunProgram, leaves_no_descriptor_whatever_happens) {
    const auto before = open_descriptors();
    EXPECT_THROW(run_program({"/no/such/program"}), std::runtime_error);
    shell("exit 0");
    EXPECT_EQ(open_descriptors(), before);
}

TEST(RunProgram, hands_on_no_descriptor_of_its_own) {
    const std::string listed = shell("ls /proc/self/fd").output;
    const Pipe another = make_pipe();
    EXPECT_EQ(shell("ls /proc/self/fd").output, listed);
}

}  // namespace
}  // namespace rrfp
