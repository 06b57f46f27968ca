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

void add_common_options(CLI::App& command, CommonOptions& options);

/// The options as command-line words, without the job.
std::vector<std::string> override_words(const CommonOptions& options);

}  // namespace rrfp
