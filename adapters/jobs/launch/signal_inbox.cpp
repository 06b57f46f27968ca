#include "adapters/jobs/launch/signal_inbox.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/signalfd.h>

namespace rrfp {
namespace {

bool is_ignored(int signal) {
    struct sigaction action {};
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

struct sigaction set_action(int signal, void (*handler)(int)) {
    struct sigaction action {};
    struct sigaction before {};
    action.sa_handler = handler;
    sigaction(signal, &action, &before);
    return before;
}

sigset_t wanted_signals() {
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) {
        // A blocked signal would be kept although it is ignored.
        if (!is_ignored(signal)) sigaddset(&wanted, signal);
    }
    return wanted;
}

}  // namespace

SignalInbox::SignalInbox()
    // A parent that ignored SIGCHLD would leave us without our child's end.
    : child_before_(set_action(SIGCHLD, SIG_DFL)),
      // What nobody reads any more must not keep us from ending the ranks.
      pipe_before_(set_action(SIGPIPE, SIG_IGN)) {
    const sigset_t wanted = wanted_signals();
    sigprocmask(SIG_BLOCK, &wanted, &before_);
    file_ = Descriptor(signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
    if (file_.number() < 0) {
        throw std::runtime_error(fmt::format("signalfd: {}", std::strerror(errno)));
    }
}

SignalInbox::~SignalInbox() {
    while (next()) {
    }
    sigaction(SIGCHLD, &child_before_, nullptr);
    sigaction(SIGPIPE, &pipe_before_, nullptr);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> SignalInbox::next() const {
    signalfd_siginfo news{};
    for (;;) {
        const ssize_t size = read(file_.number(), &news, sizeof news);
        if (size == sizeof news) return static_cast<int>(news.ssi_signo);
        if (size >= 0 || errno != EINTR) return std::nullopt;
    }
}

void SignalInbox::leave_to_child() {
    set_action(SIGCHLD, SIG_DFL);
    set_action(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace rrfp
