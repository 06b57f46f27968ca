#include "adapters/jobs/launch/launcher.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <signal.h>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "adapters/jobs/launch/find_program.h"
#include "adapters/jobs/launch/input_file.h"
#include "adapters/jobs/launch/mpi_world.h"
#include "adapters/jobs/launch/start_watch.h"

namespace rrfp {
namespace {

std::string find_mpirun() {
    if (auto program = find_program("mpirun")) return *program;
    throw std::runtime_error(
        "mpirun is not in PATH; install Open MPI (openmpi-bin on Debian), or add its folder");
}

std::vector<std::string> mpirun_command(int ranks, const std::vector<std::string>& arguments) {
    // Ranks may outnumber cores, so they are neither bound nor refused; the runtime binds its
    // worker where they fit. What a rank prints says enough: mpirun's own banners are left out.
    std::vector<std::string> command = {find_mpirun(), "--bind-to", "none", "--oversubscribe",
                                        "--quiet"};
    if (getuid() == 0) command.emplace_back("--allow-run-as-root");
    command.insert(command.end(), {"-n", std::to_string(ranks)});
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

int terminal_columns() {
    winsize size{};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col > 0 ? size.ws_col : 80;
}

/// Blocks the signals that the launcher waits for, and restores the mask.
class BlockedSignals {
  public:
    BlockedSignals() {
        sigemptyset(&set_);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set_, signal);
        sigprocmask(SIG_BLOCK, &set_, &before_);
    }
    ~BlockedSignals() { restore(); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

    void restore() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    /// The next signal; nothing when none came within `longest_s`.
    std::optional<int> wait(double longest_s) const {
        const auto seconds = static_cast<time_t>(longest_s);
        const auto rest_ns = static_cast<long>((longest_s - static_cast<double>(seconds)) * 1e9);
        const timespec longest{.tv_sec = seconds, .tv_nsec = rest_ns};
        for (;;) {
            const int signal = sigtimedwait(&set_, nullptr, &longest);
            if (signal > 0) return signal;
            if (errno == EAGAIN) return std::nullopt;
        }
    }
    int wait() const {
        for (;;) {
            const int signal = sigwaitinfo(&set_, nullptr);
            if (signal > 0) return signal;
        }
    }

  private:
    sigset_t set_{};
    sigset_t before_{};
};

/// Becomes mpirun. In a process group of its own, so that Ctrl-C reaches it once, through us, and
/// it has time to end its ranks; it goes when we are killed.
[[noreturn]] void become(const std::vector<char*>& command, int input, pid_t parent,
                         const BlockedSignals& signals) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    signal(SIGTTOU, SIG_IGN);  // a background group may write to the terminal
    if (dup2(input, STDIN_FILENO) < 0) _exit(126);
    signals.restore();
    execv(command.front(), command.data());
    _exit(127);
}

/// Until a signal comes, or the start has failed; empty then.
std::optional<int> wait(const BlockedSignals& signals, StartWatch& start) {
    while (start.watching()) {
        if (const auto signal = signals.wait(StartWatch::period_s)) return signal;
        start.look();
        if (start.fault()) return std::nullopt;
    }
    return signals.wait();
}

int exit_code(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

std::string this_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

int launch_ranks(const Job& job, const std::vector<std::string>& arguments,
                 const std::string& input) {
    const InputFile file(input);
    std::vector<std::string> command = mpirun_command(world_size(job), arguments);
    std::vector<char*> pointers;
    for (std::string& word : command) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    setenv("RRFP_TERMINAL_COLUMNS", std::to_string(terminal_columns()).c_str(), 1);

    const BlockedSignals signals;
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) {
        throw std::runtime_error(fmt::format("fork: {}", std::strerror(errno)));
    }
    if (child == 0) become(pointers, file.descriptor(), parent, signals);

    StartWatch start(child, job.watchdog_seconds);
    int ended_by = 0;
    for (;;) {
        const std::optional<int> signal = wait(signals, start);
        int status = 0;
        if (signal == SIGCHLD) {
            if (waitpid(child, &status, WNOHANG) != child) continue;
            if (start.fault()) throw std::runtime_error(*start.fault());
            return ended_by ? 128 + ended_by : exit_code(status);
        }
        ended_by = signal.value_or(0);
        kill(child, SIGTERM);
    }
}

}  // namespace rrfp
