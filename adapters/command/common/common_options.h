#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace rrfp {

/// What `run`, `compare` and `simulate` have in common.
struct CommonOptions {
    std::string job;                     ///< path of the job file
    std::vector<std::string> overrides;  ///< `section.key=value`
    std::string json;                    ///< empty = none, as below
    std::string timeline;
    std::string trace;
    bool quiet = false;
};

/// Those that all of them and `plan` have: the job, --set, --json and --quiet.
void add_job_options(CLI::App& command, CommonOptions& options);
void add_common_options(CLI::App& command, CommonOptions& options);

}  // namespace rrfp
