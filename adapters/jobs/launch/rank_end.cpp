#include "adapters/jobs/launch/rank_end.h"

#include <cstring>
#include <regex>
#include <signal.h>

#include <fmt/format.h>

#include "runtime/system/host_name.h"

namespace rrfp {
namespace {

/// Whoever reads this wants to know where to look next.
const char* advice(int signal) {
    switch (signal) {
        case SIGKILL:
            return "\nNo rank sends this signal: look for the kernel's out-of-memory killer (dmesg "
                   "| "
                   "grep -i oom), a limit of the batch system, or a person";
        case SIGBUS:
            return "\nMemory behind a file was cut off, or its file system is full: look at df "
                   "/dev/shm";
        case SIGSEGV:
        case SIGILL:
        case SIGFPE:
        case SIGABRT:
            return "\nA fault of the program or of a plugin: what it printed above, if anything, "
                   "says where";
        case SIGXCPU:
            return "\nThe limit of processor time is used up: see ulimit -t";
        default:
            return "";
    }
}

std::optional<std::smatch> match(const std::string& text, const char* pattern) {
    std::smatch found;
    return std::regex_search(text, found, std::regex(pattern)) ? std::optional(found)
                                                               : std::nullopt;
}

/// Numbers are as long as the patterns allow, so that they fit.
int number(const std::ssub_match& digits) { return std::stoi(digits.str()); }

std::optional<RankEnd> read_notice(const std::string& text) {
    if (const auto killed = match(
            text,
            "process rank ([0-9]{1,9}) with PID ([0-9]{1,9}) on\\s+node\\s+(\\S+)\\s+exited\\s+"
            "on\\s+signal\\s+([0-9]{1,3})")) {
        return RankEnd{.rank = number((*killed)[1]),
                       .pid = number((*killed)[2]),
                       .host = (*killed)[3],
                       .signal = number((*killed)[4])};
    }
    if (const auto exited = match(text,
                                  "Process name:\\s*\\[\\[[^\\]]*\\],\\s*([0-9]{1,9})\\]\\s*"
                                  "Exit code:\\s*([0-9]{1,9})")) {
        return RankEnd{.rank = number((*exited)[1]), .exit_code = number((*exited)[2])};
    }
    return std::nullopt;
}

}  // namespace

std::optional<RankEnd> find_rank_end(const std::vector<std::string>& notices) {
    for (const std::string& notice : notices) {
        if (const auto end = read_notice(notice)) return end;
    }
    return std::nullopt;
}

std::string signal_text(int signal) {
    const char* name = sigdescr_np(signal);
    return name ? fmt::format("signal {} ({})", signal, name) : fmt::format("signal {}", signal);
}

std::string text_of(const RankEnd& end, const std::optional<LifeReading>& sign) {
    std::string who = fmt::format("rank {} (", end.rank);
    const pid_t pid = sign ? sign->pid : end.pid;
    if (pid > 0) who += fmt::format("pid {}, ", pid);
    who += fmt::format("host {})", end.host.empty() ? host_name() : end.host);
    const std::string how = end.signal != 0
                                ? fmt::format("was ended by {}", signal_text(end.signal))
                                : fmt::format("exited with code {}", end.exit_code);
    return fmt::format("{} {}{}; the job was ended{}", who, how,
                       sign ? fmt::format(" {}", sign->text()) : "", advice(end.signal));
}

}  // namespace rrfp
