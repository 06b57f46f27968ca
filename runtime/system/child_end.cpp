#include "runtime/system/child_end.h"

#include <algorithm>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdexcept>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "runtime/system/monotonic_clock.h"

namespace rrfp {
namespace {

/// Between two looks at a child that writes nothing.
constexpr int look_ms = 5;

/// What is there now; false at the end of the file.
bool read_available(int file, std::string& text) {
    char buffer[4096];
    for (;;) {
        const ssize_t size = read(file, buffer, sizeof buffer);
        if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
        if (size == 0) return false;
        if (size < 0 && errno != EINTR) return errno == EAGAIN;
    }
}

/// Leaves the child to be reaped: until then nobody else can get its number, or its group's.
bool has_ended(pid_t child) {
    siginfo_t end{};
    while (waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOHANG | WNOWAIT) != 0) {
        if (errno == EINTR) continue;
        // A process that ignores SIGCHLD loses what its children leave: this one has been reaped,
        // and its number, and its group's, may be another's by now.
        throw std::runtime_error(
            std::string("the end of a child process cannot be known: waitid: ") + strerror(errno));
    }
    return end.si_pid == child;
}

}  // namespace

ChildEnd wait_for_end(pid_t child, Reach reach, const Descriptor& read_end, double longest_s) {
    const pid_t target = reach == Reach::group ? -child : child;
    ChildEnd end;
    const std::int64_t begin = monotonic_ns();
    pollfd pipe{.fd = read_end.number(), .events = POLLIN, .revents = 0};
    while (!has_ended(child)) {
        if (longest_s > 0 && static_cast<double>(monotonic_ns() - begin) > longest_s * 1e9) {
            end.ran_late = true;
            break;
        }
        poll(&pipe, 1, look_ms);
        // At the end of the file poll would return at once: the child is looked at alone then.
        if (pipe.fd >= 0 && !read_available(pipe.fd, end.output)) pipe.fd = -1;
    }
    kill(target, SIGKILL);
    while (waitpid(child, &end.status, 0) < 0) {
        if (errno != EINTR) throw std::runtime_error(std::string("waitpid: ") + strerror(errno));
    }
    if (pipe.fd >= 0) read_available(pipe.fd, end.output);
    return end;
}

}  // namespace rrfp
