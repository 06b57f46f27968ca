#include "adapters/jobs/launch/job_leftovers.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "runtime/system/own_folder.h"
#include "runtime/system/proc.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

std::string value(const std::map<std::string, std::string>& environment, const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
}

/// E.g. vader_segment.HOST.UID.JOB.RANK, with the job's number in hexadecimal.
bool belongs_to(const std::string& name, const std::string& job) {
    const bool open_mpi = name.starts_with("vader_segment.") || name.starts_with("osc_rdma.") ||
                          name.starts_with("sm_segment.");
    return open_mpi && name.find("." + job + ".") != std::string::npos;
}

std::string hexadecimal(const std::string& decimal) {
    std::uint32_t number = 0;
    const auto parsed = std::from_chars(decimal.data(), decimal.data() + decimal.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != decimal.data() + decimal.size()) return "";
    return fmt::format("{:x}", number);
}

constexpr const char* mark = "rrfp-job";

/// Process numbers mean nothing in another namespace, which may share the folder.
std::string process_namespace() {
    std::error_code error;
    return fs::read_symlink("/proc/self/ns/pid", error).string();
}

/// The job of ours that has left this folder of an mpirun that is dead; nothing otherwise.
std::optional<std::string> dead_job(const fs::path& session) {
    std::string job;
    std::string where;
    if (!(std::ifstream(session / mark) >> job >> where) || where != process_namespace()) {
        return std::nullopt;
    }
    const std::string name = session.filename();
    constexpr std::string_view prefix = "pid.";
    if (!name.starts_with(prefix)) return std::nullopt;
    const auto pid = process_number(std::string_view(name).substr(prefix.size()));
    const bool dead = pid && read_stat(*pid).ended();
    return dead ? std::optional(job) : std::nullopt;
}

void remove_shared_memory(const std::string& job_number) {
    const std::string job = hexadecimal(job_number);
    if (job.empty()) return;
    std::error_code error;
    for (fs::directory_iterator entry(shared_memory_folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (belongs_to(entry->path().filename(), job)) fs::remove(entry->path(), ignored);
    }
}

}  // namespace

JobFiles job_files(pid_t pid) {
    const auto environment = read_environment(pid);
    return {.session = value(environment, "PMIX_SERVER_TMPDIR"),
            .job = value(environment, "PMIX_NAMESPACE")};
}

void mark_files(const JobFiles& files) {
    std::ofstream(fs::path(files.session) / mark) << files.job << '\n'
                                                  << process_namespace() << '\n';
}

void remove_dead_leftovers(const JobFiles& files) {
    std::error_code error;
    std::vector<fs::path> dead;
    for (fs::directory_iterator entry(fs::path(files.session).parent_path(), error), end;
         !error && entry != end; entry.increment(error)) {
        if (dead_job(entry->path())) dead.push_back(entry->path());
    }
    for (const fs::path& session : dead) {
        if (const auto job = dead_job(session)) remove_shared_memory(*job);
        fs::remove_all(session, error);
    }
}

void remove_leftovers(const JobFiles& files, pid_t mpirun) {
    // What cannot be removed is somebody else's, or was removed meanwhile.
    std::error_code error;
    // The folder's name holds its mpirun's number: one of another name is not ours.
    if (fs::path(files.session).filename() == fmt::format("pid.{}", mpirun) &&
        fs::remove_all(files.session, error) > 0) {
        fs::remove(fs::path(files.session).parent_path(), error);  // if it is empty
    }
    remove_shared_memory(files.job);
}

}  // namespace rrfp
