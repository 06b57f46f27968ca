#include "adapters/jobs/launch/mpirun_process.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <signal.h>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "adapters/jobs/launch/signal_inbox.h"

namespace rrfp {
namespace {

/// Becomes mpirun, or leaves the reason why not. In a process group of its own, so that Ctrl-C
/// reaches it once, through us, and it has time to end its ranks; it goes when we are killed.
[[noreturn]] void become(char* const* command, int input, int errors, pid_t parent, int reason) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    signal(SIGTTOU, SIG_IGN);  // a background group may write to the terminal
    SignalInbox::leave_to_child();
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0) {
        execv(command[0], command);
    }
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(reason, &error, sizeof error);
    _exit(127);
}

/// 0 when the program runs: then its start has closed the other end.
int why_not_started(const Descriptor& reason) {
    pollfd end{.fd = reason.number(), .events = POLLIN, .revents = 0};
    while (poll(&end, 1, -1) < 0 && errno == EINTR) {
    }
    int error = 0;
    return read(reason.number(), &error, sizeof error) == sizeof error ? error : 0;
}

}  // namespace

MpirunProcess::MpirunProcess(const std::vector<std::string>& command, int input)
    : errors_(make_pipe()) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    Pipe reason = make_pipe();
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error(fmt::format("fork: {}", std::strerror(errno)));
    if (pid_ == 0) {
        become(words.data(), input, errors_.write_end.number(), parent, reason.write_end.number());
    }
    errors_.write_end.close();
    reason.write_end.close();
    if (const int error = why_not_started(reason.read_end)) {
        waitpid(pid_, nullptr, 0);
        throw std::runtime_error(fmt::format("{}: {}; look whether this mpirun runs here",
                                             command.front(), std::strerror(error)));
    }
}

MpirunProcess::~MpirunProcess() {
    if (status_) return;
    signal(SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void MpirunProcess::signal(int number) const {
    if (!status_) kill(pid_, number);  // until it is reaped the number is its own
}

std::optional<int> MpirunProcess::status() {
    if (status_) return status_;
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(pid_, &status, WNOHANG)) < 0 && errno == EINTR) {
    }
    if (ended < 0) throw std::runtime_error(fmt::format("waitpid: {}", std::strerror(errno)));
    if (ended == pid_) status_ = status;
    return status_;
}

}  // namespace rrfp
