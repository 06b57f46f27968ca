#include "adapters/jobs/surroundings/leftovers.h"

#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>

#include "runtime/system/host_name.h"
#include "runtime/system/own_folder.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> entries(const fs::path& folder) {
    std::vector<fs::path> paths;
    std::error_code error;  // what cannot be read has nothing to show
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        paths.push_back(entry->path());
    }
    return paths;
}

bool is_mine(const fs::path& path) {
    struct stat seen {};
    return lstat(path.c_str(), &seen) == 0 && seen.st_uid == geteuid();
}

/// As Open MPI has it in its folder.
std::string host() {
    const std::string name = host_name();
    return name.substr(0, name.find('.'));
}

/// The sessions in <temporary folder>/ompi.<host>.<user>/pid.<mpirun> whose mpirun is gone.
std::vector<std::string> dead_sessions() {
    std::vector<std::string> dead;
    const fs::path sessions =
        fs::path(temporary_folder()) / fmt::format("ompi.{}.{}", host(), geteuid());
    for (const fs::path& session : entries(sessions)) {
        const std::string name = session.filename().string();
        if (!name.starts_with("pid.") || !is_mine(session)) continue;
        if (!fs::exists("/proc/" + name.substr(4))) dead.push_back(session.string());
    }
    return dead;
}

}  // namespace

Fact examine_leftovers() {
    constexpr const char* subject = "Left by killed jobs";
    std::vector<std::string> runs;
    for (const std::string& parent : run_places()) {
        for (std::string& folder : dead_own_folders(parent)) runs.push_back(std::move(folder));
    }
    const std::vector<std::string> sessions = dead_sessions();
    if (runs.empty() && sessions.empty()) return {subject, "nothing"};
    std::vector<std::string> values;
    std::vector<std::string> remedies;
    if (!runs.empty()) {
        values.push_back(fmt::format("{}", fmt::join(runs, ", ")));
        remedies.emplace_back("the next rrfp run removes its own");
    }
    if (!sessions.empty()) {
        values.push_back(
            fmt::format("{} sessions of Open MPI, as {}", sessions.size(), sessions.front()));
        remedies.emplace_back("remove what no mpirun of yours uses");
    }
    return {subject, fmt::format("{}", fmt::join(values, "; ")), Health::warn,
            fmt::format("{}", fmt::join(remedies, "; "))};
}

}  // namespace rrfp
