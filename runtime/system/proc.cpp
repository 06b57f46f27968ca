#include "runtime/system/proc.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace rrfp {
namespace {

namespace fs = std::filesystem;

fs::path folder(pid_t pid) { return fs::path("/proc") / std::to_string(pid); }

std::string read_text(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

ProcessStat read_stat(pid_t pid) {
    const std::string text = read_text(folder(pid) / "stat");
    const auto name_end = text.rfind(')');  // a name may hold blanks and parentheses
    ProcessStat stat;
    if (name_end != std::string::npos) {
        std::istringstream(text.substr(name_end + 1)) >> stat.state >> stat.parent;
    }
    return stat;
}

std::map<std::string, std::string> read_environment(pid_t pid) {
    std::map<std::string, std::string> environment;
    std::istringstream pairs(read_text(folder(pid) / "environ"));
    for (std::string pair; std::getline(pairs, pair, '\0');) {
        const auto equals = pair.find('=');
        if (equals != std::string::npos) {
            environment.emplace(pair.substr(0, equals), pair.substr(equals + 1));
        }
    }
    return environment;
}

std::vector<std::string> thread_names(pid_t pid) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator thread(folder(pid) / "task", error), end; !error && thread != end;
         thread.increment(error)) {
        std::string name = read_text(thread->path() / "comm");
        if (name.ends_with('\n')) name.pop_back();
        names.push_back(std::move(name));
    }
    return names;
}

std::vector<pid_t> all_processes() {
    std::vector<pid_t> pids;
    std::error_code error;
    for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
         entry.increment(error)) {
        if (const auto pid = process_number(entry->path().filename().string())) {
            pids.push_back(*pid);
        }
    }
    return pids;
}

std::optional<pid_t> process_number(std::string_view name) {
    pid_t pid = 0;
    const char* const end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data(), end, pid);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == end;
    return whole ? std::optional(pid) : std::nullopt;
}

}  // namespace rrfp
