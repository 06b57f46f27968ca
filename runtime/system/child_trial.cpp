#include "runtime/system/child_trial.h"

#include <cstring>
#include <errno.h>
#include <exception>
#include <signal.h>
#include <span>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

#include "runtime/system/child_end.h"
#include "runtime/system/descriptor.h"

namespace rrfp {
namespace {

constexpr int threw = 1;

bool write_text(int output, std::string_view text) {
    return write_all(output, std::as_bytes(std::span(text)));
}

/// Nothing may leave this function but the process: what follows in the caller is the parent's.
[[noreturn]] void run_child(const std::function<std::string()>& trial, int output) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int code = 0;
    std::string text;
    try {
        text = trial();
    } catch (const std::exception& error) {
        code = threw;
        text = error.what();
    } catch (...) {
        write_text(output, "an exception that is not a std::exception");
        _exit(threw);  // the end of this block would destroy what may not be destroyed here
    }
    _exit(write_text(output, text) ? code : threw);
}

}  // namespace

TrialResult try_in_child(const std::function<std::string()>& trial, unsigned seconds) try {
    Pipe pipe = make_pipe();
    const pid_t child = fork();
    if (child < 0) return {false, std::string("fork: ") + strerror(errno)};
    if (child == 0) run_child(trial, pipe.write_end.number());
    pipe.write_end.close();
    ChildEnd end = wait_for_end(child, Reach::child, pipe.read_end, seconds);
    if (end.ran_late) return {false, "no answer within " + std::to_string(seconds) + " s"};
    if (WIFSIGNALED(end.status)) {
        return {false, "ended by signal " + std::to_string(WTERMSIG(end.status))};
    }
    return {WEXITSTATUS(end.status) == 0, std::move(end.output)};
} catch (const std::runtime_error& error) {
    return {false, error.what()};
}

}  // namespace rrfp
