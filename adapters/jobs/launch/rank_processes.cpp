#include "adapters/jobs/launch/rank_processes.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <signal.h>
#include <unistd.h>

#include <sys/syscall.h>

#include "runtime/starpu/failing/node_watchdog.h"
#include "runtime/system/descriptor.h"
#include "runtime/system/proc.h"

namespace rrfp {
namespace {

std::map<pid_t, ProcessStat> read_processes() {
    std::map<pid_t, ProcessStat> processes;
    for (const pid_t pid : all_processes()) processes[pid] = read_stat(pid);
    return processes;
}

bool is_below(pid_t pid, pid_t ancestor, const std::map<pid_t, ProcessStat>& processes) {
    // Bounded, since the processes were not all read at one time.
    for (std::size_t step = 0; step < processes.size(); ++step) {
        const auto found = processes.find(pid);
        if (found == processes.end()) return false;
        pid = found->second.parent;
        if (pid == ancestor) return true;
    }
    return false;
}

std::optional<int> rank_of(pid_t pid) {
    const auto environment = read_environment(pid);
    const auto found = environment.find("OMPI_COMM_WORLD_RANK");
    if (found == environment.end()) return std::nullopt;
    return std::atoi(found->second.c_str());
}

bool has_watchdog(pid_t pid) {
    const std::vector<std::string> names = thread_names(pid);
    return std::ranges::find(names, watchdog_thread_name) != names.end();
}

bool has(pid_t pid, const std::string& variable, const std::string& value) {
    const auto environment = read_environment(pid);
    const auto found = environment.find(variable);
    return found != environment.end() && found->second == value;
}

}  // namespace

std::vector<RankProcess> rank_processes(pid_t ancestor) {
    std::vector<RankProcess> ranks;
    const std::map<pid_t, ProcessStat> processes = read_processes();
    for (const auto& [pid, stat] : processes) {
        if (!is_below(pid, ancestor, processes)) continue;
        if (const auto rank = rank_of(pid)) {
            ranks.push_back({*rank, pid, stat.stopped(), has_watchdog(pid)});
        }
    }
    std::ranges::sort(ranks, {}, &RankProcess::rank);
    return ranks;
}

std::vector<pid_t> processes_with(const std::string& variable, const std::string& value) {
    std::vector<pid_t> pids = all_processes();
    std::erase_if(pids, [&](pid_t pid) { return pid == getpid() || !has(pid, variable, value); });
    return pids;
}

void kill_processes_with(const std::string& variable, const std::string& value) {
    for (const pid_t pid : processes_with(variable, value)) {
        // The descriptor stays that process's, should the number become another's meanwhile.
        const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
        if (!has(pid, variable, value)) continue;
        if (process.number() >= 0) {
            syscall(SYS_pidfd_send_signal, process.number(), SIGKILL, nullptr, 0);
        } else {
            kill(pid, SIGKILL);
        }
    }
}

}  // namespace rrfp
