#include "adapters/jobs/launch/rank_processes.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "runtime/starpu/failing/node_watchdog.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

struct Stat {
    char state = '?';
    pid_t parent = 0;
};

// A process may end while it is looked at: what cannot be read is not there.

std::string read_text(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

Stat read_stat(const fs::path& process) {
    const std::string text = read_text(process / "stat");
    const auto name_end = text.rfind(')');  // a name may hold blanks and parentheses
    Stat stat;
    if (name_end != std::string::npos) {
        std::istringstream(text.substr(name_end + 1)) >> stat.state >> stat.parent;
    }
    return stat;
}

std::map<pid_t, Stat> read_processes() {
    std::map<pid_t, Stat> processes;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename();
        pid_t pid = 0;
        const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (parsed.ptr == name.data() + name.size()) processes[pid] = read_stat(entry.path());
    }
    return processes;
}

bool is_below(pid_t pid, pid_t ancestor, const std::map<pid_t, Stat>& processes) {
    // Bounded, since the processes were not all read at one time.
    for (std::size_t step = 0; step < processes.size(); ++step) {
        const auto found = processes.find(pid);
        if (found == processes.end()) return false;
        pid = found->second.parent;
        if (pid == ancestor) return true;
    }
    return false;
}

std::optional<int> rank_of(const fs::path& process) {
    constexpr std::string_view key = "OMPI_COMM_WORLD_RANK=";
    std::istringstream environment(read_text(process / "environ"));
    for (std::string pair; std::getline(environment, pair, '\0');) {
        if (pair.starts_with(key)) return std::atoi(pair.c_str() + key.size());
    }
    return std::nullopt;
}

bool has_watchdog(const fs::path& process) {
    std::error_code error;
    const fs::directory_iterator threads(process / "task", error);
    return std::any_of(begin(threads), end(threads), [](const auto& thread) {
        return read_text(thread.path() / "comm") == std::string(watchdog_thread_name) + '\n';
    });
}

}  // namespace

std::vector<RankProcess> rank_processes(pid_t ancestor) {
    std::vector<RankProcess> ranks;
    const std::map<pid_t, Stat> processes = read_processes();
    for (const auto& [pid, stat] : processes) {
        if (!is_below(pid, ancestor, processes)) continue;
        const fs::path process = fs::path("/proc") / std::to_string(pid);
        if (const auto rank = rank_of(process)) {
            ranks.push_back({*rank, pid, stat.state == 'T', has_watchdog(process)});
        }
    }
    std::ranges::sort(ranks, {}, &RankProcess::rank);
    return ranks;
}

}  // namespace rrfp
