#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace rrfp {

/// A process as /proc shows it. One may end while it is looked at: what cannot be read is not
/// there.
struct ProcessStat {
    char state = '?';
    pid_t parent = 0;

    bool stopped() const { return state == 'T' || state == 't'; }
    bool ended() const { return state == 'Z' || state == 'X' || state == '?'; }
};

ProcessStat read_stat(pid_t pid);
/// What it was started with.
std::map<std::string, std::string> read_environment(pid_t pid);
/// The names of its threads.
std::vector<std::string> thread_names(pid_t pid);
std::vector<pid_t> all_processes();
/// The number that `name`, a folder's in /proc, is; nothing for what is no process's.
std::optional<pid_t> process_number(std::string_view name);

}  // namespace rrfp
