#include "adapters/jobs/file/job_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "adapters/jobs/file/job_check.h"
#include "adapters/jobs/file/job_reader.h"
#include "adapters/jobs/file/job_shape.h"
#include "adapters/jobs/file/override.h"
#include "adapters/jobs/job/job_plan.h"

namespace rrfp {
namespace {

toml::table parse_toml(const JobText& file) {
    try {
        return toml::parse(file.text, file.path);
    } catch (const toml::parse_error& error) {
        throw BadInput(fmt::format("{}: line {}: {}; see docs/job-file.md for the format",
                                   file.path, error.source().begin.line, error.description()));
    }
}

Job read_keys(const JobText& file, const std::vector<std::string>& overrides, Origins& origins) {
    Job job;
    job.path = file.path;
    JobReader reader(job, origins);
    const auto folder = std::filesystem::absolute(file.path).parent_path();
    reader.read(parse_toml(file), file.path, folder);
    for (const std::string& text : overrides) apply_override(reader, text);
    if (!reader.faults().empty()) throw BadInput(reader.faults());
    fill_shape(job, origins);
    return job;
}

}  // namespace

JobText read_job_text(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        throw BadInput(path + ": is a folder; give the path of a job file");
    }
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    if (!file || file.bad()) {
        throw BadInput(fmt::format("{}: cannot be read ({}); give the path of a job file", path,
                                   std::strerror(errno)));
    }
    return {.path = path, .text = text.str()};
}

Job read_keys(const JobText& file, const std::vector<std::string>& overrides) {
    Origins origins(file.path);
    return read_keys(file, overrides, origins);
}

LoadedJob load_job(const JobText& file, const std::vector<std::string>& overrides) {
    Origins origins(file.path);
    Job job = read_keys(file, overrides, origins);
    Faults faults(job, origins);
    std::optional<Plan> plan = check_job(job, origins, faults);
    if (!plan) throw BadInput(std::move(faults.messages()));
    resolve_schedule(job, *plan);
    return {.job = std::move(job), .origins = std::move(origins), .plan = *std::move(plan)};
}

}  // namespace rrfp
