#include "adapters/jobs/file/job_file.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "adapters/jobs/file/job_check.h"
#include "adapters/jobs/file/job_reader.h"
#include "adapters/jobs/file/job_shape.h"
#include "adapters/jobs/file/override.h"
#include "adapters/jobs/file/toml_depth.h"
#include "adapters/jobs/job/job_plan.h"
#include "runtime/system/piped_file.h"

namespace rrfp {
namespace {

constexpr FileKind job_kind{.remedy = "give the path of a job file", .most_bytes = 1 << 20};

toml::table parse_toml(const JobText& file) {
    if (const auto line = deep_key(file.text)) {
        throw BadInput(fmt::format(
            "{}: line {}: a key of more than 16 parts; the keys of a job are section.key",
            file.path, *line));
    }
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
    const auto folder = file.from_pipe ? std::filesystem::current_path()
                                       : std::filesystem::absolute(file.path).parent_path();
    reader.read(parse_toml(file), file.path, folder);
    for (const std::string& text : overrides) apply_override(reader, text);
    if (!reader.faults().empty()) throw BadInput(reader.faults());
    fill_shape(job, origins);
    return job;
}

}  // namespace

JobText read_job_text(const std::string& path) try {
    PipedText file = read_file_or_pipe(path, job_kind);
    if (file.text.empty()) throw BadInput(path + ": is empty; give the path of a job file");
    return {.path = path, .text = std::move(file.text), .from_pipe = file.from_pipe};
} catch (const FileFault& fault) {
    throw BadInput(fault.what());
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
