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

namespace rrfp {
namespace {

std::string read_text(const std::string& path) {
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
    return text.str();
}

toml::table parse_toml(const std::string& text, const std::string& path) {
    try {
        return toml::parse(text, path);
    } catch (const toml::parse_error& error) {
        throw BadInput(fmt::format("{}: line {}: {}; see docs/job-file.md for the format", path,
                                   error.source().begin.line, error.description()));
    }
}

}  // namespace

LoadedJob load_job(const std::string& path, const std::vector<std::string>& overrides) {
    return parse_job(read_text(path), path, overrides);
}

LoadedJob parse_job(const std::string& text, const std::string& path,
                    const std::vector<std::string>& overrides) {
    LoadedJob loaded{.job = {}, .origins = Origins(path)};
    loaded.job.path = path;

    JobReader reader(loaded.job, loaded.origins);
    const auto folder = std::filesystem::absolute(path).parent_path();
    reader.read(parse_toml(text, path), path, folder);
    for (const std::string& text_of_override : overrides) {
        apply_override(reader, text_of_override);
    }
    if (!reader.faults().empty()) throw BadInput(reader.faults());

    fill_shape(loaded.job, loaded.origins);
    const auto faults = check_job(loaded.job, loaded.origins);
    if (!faults.empty()) throw BadInput(faults);
    resolve_schedule(loaded.job);
    return loaded;
}

}  // namespace rrfp
