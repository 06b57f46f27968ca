#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapters/command/common/common_options.h"
#include "adapters/command/common/places.h"
#include "adapters/jobs/file/job_file.h"

namespace rrfp {

/// A job that may start: all that can be checked before was.
struct PreparedJob {
    Job job;
    Plan plan;
};

/// Prepares jobs from one job file, which is read once, as is the text that they train on.
class Preparation {
  public:
    /// Reads the file of `options`. `more` are files that the command reads and writes besides
    /// those of the options and the job. Throws BadInput.
    explicit Preparation(const CommonOptions& options, Places more = {});

    /// The job with `more` overrides after those of the options. Checks the keys, the data, and
    /// that every place to write to can be written, and is not one of the files that are read.
    /// Throws BadInput.
    PreparedJob prepare(const std::vector<std::string>& more = {});

    /// As `prepare`, for a job that is about to train: checks the checkpoint that it would continue
    /// from, and that it replaces none. Throws BadInput.
    PreparedJob prepare_run(const std::vector<std::string>& more = {});

    /// The names that `schedule.arbiter` of the job may take. Throws BadInput.
    std::vector<std::string> arbiters() const;
    /// `output.checkpoint` of the job without more overrides; empty = none. Throws BadInput.
    std::string checkpoint() const;

  private:
    LoadedJob load(const std::vector<std::string>& more);
    void check_text_of(LoadedJob& loaded);
    void check_places(const LoadedJob& loaded) const;

    CommonOptions options_;
    Places places_;
    JobText file_;
    std::optional<FileIdentity> text_;
};

}  // namespace rrfp
