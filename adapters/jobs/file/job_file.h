#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/file/origins.h"
#include "adapters/jobs/job/bad_input.h"
#include "adapters/jobs/job/job.h"

namespace rrfp {

struct LoadedJob {
    Job job;
    Origins origins;
};

/// Reads the job file at `path`, then applies `overrides` (`section.key=value`, later ones win),
/// and checks the whole. Relative paths in the file are taken from its folder, those of an override
/// from the current one; in the job they are absolute. Throws BadInput with every fault found. What
/// only the model can say (the text of a gpt job) is left to `check_gpt_job`.
LoadedJob load_job(const std::string& path, const std::vector<std::string>& overrides = {});

/// As `load_job`, from the text of a job file. `path` serves messages and relative paths.
LoadedJob parse_job(const std::string& text, const std::string& path,
                    const std::vector<std::string>& overrides = {});

}  // namespace rrfp
