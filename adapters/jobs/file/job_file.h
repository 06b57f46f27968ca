#pragma once

#include <string>
#include <vector>

#include "adapters/jobs/file/origins.h"
#include "adapters/jobs/job/bad_input.h"
#include "adapters/jobs/job/job.h"
#include "adapters/plan/plan.h"

namespace rrfp {

/// A job file as it was read, once: what is made of it later is made of this text.
struct JobText {
    std::string path;  ///< as the user wrote it; for messages and relative paths
    std::string text;
    bool from_pipe = false;  ///< then relative paths are taken from the current folder
};

/// From a regular file of at most 1 MiB or from a pipe. Throws BadInput where `path` cannot be read
/// or holds nothing, and where nothing comes through a pipe for 10 s.
JobText read_job_text(const std::string& path);

struct LoadedJob {
    Job job;
    Origins origins;
    Plan plan;
};

/// The job of `file` with `overrides` (`section.key=value`, later ones win), the whole checked.
/// Relative paths in the file are taken from its folder, those of an override, or of a job that
/// came through a pipe, from the current one;
/// in the job they are absolute. Throws BadInput with every fault found. What the text of a gpt job
/// holds is left to `check_text`.
LoadedJob load_job(const JobText& file, const std::vector<std::string>& overrides = {});

/// The keys of `file` and `overrides` alone, each valid by itself.
Job read_keys(const JobText& file, const std::vector<std::string>& overrides = {});

}  // namespace rrfp
