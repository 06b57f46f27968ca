#include "adapters/jobs/launch/job_leftovers.h"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "adapters/jobs/launch/proc.h"

namespace rrfp {
namespace {

namespace fs = std::filesystem;

constexpr const char* shared_memory = "/dev/shm";

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

}  // namespace

JobFiles job_files(pid_t pid) {
    const auto environment = read_environment(pid);
    return {.session = value(environment, "PMIX_SERVER_TMPDIR"),
            .job = value(environment, "PMIX_NAMESPACE")};
}

void remove_leftovers(const JobFiles& files, pid_t mpirun) {
    // What cannot be removed is somebody else's, or was removed meanwhile.
    std::error_code error;
    // The folder's name holds its mpirun's number: one of another name is not ours.
    if (fs::path(files.session).filename() == fmt::format("pid.{}", mpirun)) {
        fs::remove_all(files.session, error);
        fs::remove(fs::path(files.session).parent_path(), error);  // if it is empty
    }
    const std::string job = hexadecimal(files.job);
    if (job.empty()) return;
    for (fs::directory_iterator entry(shared_memory, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (belongs_to(entry->path().filename(), job)) fs::remove(entry->path(), ignored);
    }
}

}  // namespace rrfp
