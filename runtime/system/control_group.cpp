#include "runtime/system/control_group.h"

#include <fstream>

namespace rrfp {
namespace {

namespace fs = std::filesystem;

/// Whether `list`, with commas between its words, has `word`.
bool has(const std::string& list, const std::string& word) {
    return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

}  // namespace

std::vector<fs::path> control_groups(const std::string& controller) {
    std::vector<fs::path> folders;
    // Lines are "0::/path", or with version 1 "5:cpu,cpuacct:/path".
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (!controllers.empty() && !has(controllers, controller)) continue;
        const fs::path root = fs::path("/sys/fs/cgroup") / controllers;
        for (fs::path group = line.substr(second + 1);; group = group.parent_path()) {
            folders.push_back(root / group.relative_path());
            if (!group.has_relative_path()) break;
        }
    }
    return folders;
}

}  // namespace rrfp
