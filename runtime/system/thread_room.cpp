#include "runtime/system/thread_room.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "runtime/system/control_group.h"
#include "runtime/system/proc.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> number_in(const fs::path& file) {
    std::uint64_t number = 0;
    std::ifstream stream(file);
    if (stream >> number) return number;
    return std::nullopt;  // no such file, or "max"
}

std::uint64_t threads_of(const fs::path& process) {
    std::ifstream status(process / "status");
    constexpr std::string_view key = "Threads:";
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with(key)) return std::strtoull(line.c_str() + key.size(), nullptr, 10);
    }
    return 0;  // it has just ended
}

/// All threads of this user's processes that can be seen.
std::uint64_t threads_of_user() {
    std::uint64_t threads = 0;
    for (const pid_t pid : all_processes()) {
        const fs::path process = fs::path("/proc") / std::to_string(pid);
        struct stat seen {};
        if (stat(process.c_str(), &seen) == 0 && seen.st_uid == getuid()) {
            threads += threads_of(process);
        }
    }
    return threads;
}

std::optional<ThreadRoom> room_of_user() {
    rlimit limit{};
    // The kernel does not hold root to it.
    if (getuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return std::nullopt;
    }
    const std::uint64_t used = threads_of_user();
    return ThreadRoom{limit.rlim_cur > used ? limit.rlim_cur - used : 0,
                      fmt::format("ulimit -u is {}", limit.rlim_cur)};
}

std::optional<ThreadRoom> room_of_control_groups() {
    std::optional<ThreadRoom> tightest;
    for (const fs::path& group : control_groups("pids")) {
        const auto most = number_in(group / "pids.max");
        const auto used = number_in(group / "pids.current");
        if (!most || !used) continue;
        const std::uint64_t left = *most > *used ? *most - *used : 0;
        if (tightest && tightest->left <= left) continue;
        tightest = ThreadRoom{left, fmt::format("{}/pids.max is {}", group.string(), *most)};
    }
    return tightest;
}

}  // namespace

std::optional<ThreadRoom> thread_room() {
    std::optional<ThreadRoom> user = room_of_user();
    std::optional<ThreadRoom> groups = room_of_control_groups();
    if (!user || (groups && groups->left < user->left)) return groups;
    return user;
}

}  // namespace rrfp
