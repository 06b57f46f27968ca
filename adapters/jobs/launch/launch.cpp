#include "adapters/jobs/launch/launch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <signal.h>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

#include "adapters/jobs/launch/launch_end.h"
#include "adapters/jobs/launch/mpirun.h"
#include "runtime/system/monotonic_clock.h"
#include "runtime/system/proc.h"

namespace rrfp {
namespace {

constexpr std::int64_t ns_per_ms = 1'000'000;
constexpr std::int64_t ns_per_s = 1'000 * ns_per_ms;

/// mpirun ends its ranks, stopped ones too, within two or three seconds.
constexpr std::int64_t patience_ns = 10 * ns_per_s;
/// For whom asks twice.
constexpr std::int64_t short_patience_ns = 3 * ns_per_s;
/// Ranks notice the end of their mpirun by themselves, most of them at once.
constexpr std::int64_t orphans_patience_ns = 3 * ns_per_s;
constexpr int orphans_look_ms = 50;

/// Sets what ranks find in their environment, and gives the path of their mpirun.
std::string prepared_mpirun(const LifeSigns& signs) {
    setenv(LifeSigns::variable, signs.mark().c_str(), 1);
    return find_mpirun();
}

}  // namespace

Launch::Launch(int ranks, double limit_s, const std::vector<std::string>& arguments,
               const std::string& input)
    : ranks_(ranks),
      signs_(ranks),
      input_(input),
      words_([this](std::string_view text) { errors_.write(text); }),
      path_(prepared_mpirun(signs_)),
      mpirun_(mpirun_command(path_, ranks, arguments), input_.descriptor()),
      start_(limit_s),
      watch_(limit_s) {}

int Launch::run() {
    std::optional<int> status;
    while (!(status = mpirun_.status())) {
        wait_for_news();
        read_errors();
        while (const auto signal = signals_.next()) obey(*signal);
        if (monotonic_ns() >= next_look_ns_) look();
        if (kill_at_ns_ != 0 && monotonic_ns() >= kill_at_ns_) {
            mpirun_.signal(SIGKILL);
            kill_processes_with(LifeSigns::variable, signs_.mark());
        }
    }
    if (*status != 0) end_survivors();
    read_errors();
    words_.finish();
    const int code = tell(*status);
    finish_errors();
    return code;
}

void Launch::wait_for_news() {
    const std::int64_t wait_ns = std::max<std::int64_t>(next_look_ns_ - monotonic_ns(), 0);
    // A clock that jumps must not make this wait longer.
    const auto wait_ms = std::min<std::int64_t>(wait_ns / ns_per_ms + 1, 1000);
    const int source = errors_.full() ? -1 : mpirun_.error_output();
    const int target = errors_.waits() ? STDERR_FILENO : -1;
    std::array<pollfd, 3> files{{{.fd = signals_.descriptor(), .events = POLLIN, .revents = 0},
                                 {.fd = source, .events = POLLIN, .revents = 0},
                                 {.fd = target, .events = POLLOUT, .revents = 0}}};
    poll(files.data(), files.size(), static_cast<int>(wait_ms));
}

void Launch::read_errors() {
    std::array<char, 4096> part{};
    errors_.flush();
    while (mpirun_.error_output() >= 0 && !errors_.full()) {
        const ssize_t size = read(mpirun_.error_output(), part.data(), part.size());
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return;
        if (size == 0) return mpirun_.close_error_output();
        words_.take({part.data(), static_cast<std::size_t>(size)});
    }
}

/// Waits for whoever reads them, unless told to end.
void Launch::finish_errors() {
    while (errors_.waits()) {
        std::array<pollfd, 2> files{{{.fd = signals_.descriptor(), .events = POLLIN, .revents = 0},
                                     {.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0}}};
        poll(files.data(), files.size(), -1);
        if (const auto signal = signals_.next(); signal && *signal != SIGCHLD) return;
        errors_.flush();
    }
}

void Launch::obey(int signal) {
    if (signal == SIGCHLD) return;
    if (signal == SIGTSTP) return suspend();
    // mpirun would take a second request as leave to drop its files and its ranks: it gets one.
    if (kill_at_ns_ != 0) {
        kill_at_ns_ = std::min(kill_at_ns_, monotonic_ns() + short_patience_ns);
    } else {
        ask_to_end();
    }
    if (!fault_ && ended_by_ == 0) ended_by_ = signal;
}

/// mpirun goes on, so that it ends the ranks should this process be killed meanwhile.
void Launch::suspend() {
    const std::vector<RankProcess> ranks = rank_processes(mpirun_.pid());
    for (const RankProcess& rank : ranks) kill(rank.pid, SIGSTOP);
    raise(SIGSTOP);
    for (const RankProcess& rank : ranks) kill(rank.pid, SIGCONT);
}

void Launch::look() {
    static_assert(StartWatch::period_s == JobWatch::period_s);
    next_look_ns_ = monotonic_ns() + static_cast<std::int64_t>(JobWatch::period_s * 1e9);
    if (kill_at_ns_ == 0 && start_.watching()) look_at_start();
    if (kill_at_ns_ != 0) return;
    watch_.judge(look_at_job());
    if (watch_.fault()) end_because(*watch_.fault());
}

void Launch::look_at_start() {
    const std::vector<RankProcess> ranks = rank_processes(mpirun_.pid());
    if (!ranks.empty()) remember_files(ranks.front().pid);
    start_.judge(ranks);
    if (start_.fault()) end_because(*start_.fault());
}

JobLook Launch::look_at_job() {
    JobLook look{.mpirun = mpirun_.pid(), .mpirun_stopped = read_stat(mpirun_.pid()).stopped()};
    for (int rank = 0; rank < ranks_; ++rank) {
        const std::optional<LifeReading> sign = signs_.read(rank);
        if (!sign) continue;
        const ProcessStat stat = read_stat(sign->pid);
        look.ranks.push_back({.rank = rank,
                              .pid = sign->pid,
                              .gone = stat.ended(),
                              .stopped = stat.stopped(),
                              .sign = *sign});
        started_ = true;
        if (!stat.ended()) remember_files(sign->pid);
    }
    return look;
}

void Launch::remember_files(pid_t rank) {
    if (files_.known()) return;
    files_ = job_files(rank);
    if (!files_.known()) return;
    mark_files(files_);
    remove_dead_leftovers(files_);
}

/// Told first: whatever does not end then, the user knows why.
void Launch::end_because(const std::string& fault) {
    errors_.say(fault);
    fault_ = true;
    ask_to_end();
}

void Launch::ask_to_end() {
    mpirun_.signal(SIGTERM);
    mpirun_.signal(SIGCONT);  // one that is stopped could not obey
    kill_at_ns_ = monotonic_ns() + patience_ns;
}

/// Of an mpirun that did not end them, and what it did not remove.
void Launch::end_survivors() {
    const std::string mark = signs_.mark();
    const auto all_gone_within = [&mark](std::int64_t longest_ns) {
        const std::int64_t end_ns = monotonic_ns() + longest_ns;
        while (!processes_with(LifeSigns::variable, mark).empty()) {
            if (monotonic_ns() >= end_ns) return false;
            poll(nullptr, 0, orphans_look_ms);
        }
        return true;
    };
    if (!all_gone_within(orphans_patience_ns)) {
        kill_processes_with(LifeSigns::variable, mark);
        if (!all_gone_within(orphans_patience_ns)) return;
    }
    remove_leftovers(files_, mpirun_.pid());
}

int Launch::tell(int status) {
    if (fault_) return 1;
    if (ended_by_ != 0) return 128 + ended_by_;
    LaunchFacts facts{.mpirun = path_,
                      .pid = mpirun_.pid(),
                      .status = status,
                      .notices = words_.held(),
                      .told = words_.passed_message(),
                      .printed = words_.passed(),
                      .started = started_,
                      .rank = find_rank_end(words_.held()),
                      .sign = std::nullopt};
    if (facts.rank) facts.sign = signs_.read(facts.rank->rank);
    const LaunchVerdict verdict = judge_end(facts);
    errors_.write(verdict.quoted);
    if (!verdict.message.empty()) errors_.say(verdict.message);
    return verdict.exit_code;
}

}  // namespace rrfp
