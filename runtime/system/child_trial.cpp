#include "runtime/system/child_trial.h"

#include <errno.h>
#include <exception>
#include <signal.h>
#include <stdexcept>
#include <unistd.h>

#include <sys/wait.h>

namespace rrfp {
namespace {

constexpr int threw = 1;

[[noreturn]] void run_child(const std::function<std::string()>& trial, int output,
                            unsigned seconds) {
    alarm(seconds);  // ends this process when the time is over
    int code = 0;
    std::string text;
    try {
        text = trial();
    } catch (const std::exception& error) {
        code = threw;
        text = error.what();
    }
    const bool written = write(output, text.data(), text.size()) >= 0;
    _exit(written ? code : threw);
}

std::string read_all(int input) {
    std::string text;
    char buffer[512];
    for (;;) {
        const ssize_t size = read(input, buffer, sizeof buffer);
        if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
        if (size == 0 || (size < 0 && errno != EINTR)) return text;
    }
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

}  // namespace

TrialResult try_in_child(const std::function<std::string()>& trial, unsigned seconds) {
    int ends[2];
    if (pipe(ends) != 0) return {false, "pipe failed"};
    const pid_t child = fork();
    if (child < 0) return {false, "fork failed"};
    if (child == 0) {
        close(ends[0]);
        run_child(trial, ends[1], seconds);
    }
    close(ends[1]);
    const std::string text = read_all(ends[0]);
    close(ends[0]);
    const int status = wait_for(child);
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        if (signal == SIGALRM) return {false, "no answer within " + std::to_string(seconds) + " s"};
        return {false, "ended by signal " + std::to_string(signal)};
    }
    return {WEXITSTATUS(status) == 0, text};
}

}  // namespace rrfp
