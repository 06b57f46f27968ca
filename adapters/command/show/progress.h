#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "adapters/jobs/run/rank_run.h"

namespace rrfp {

/// Tells how a run gets on: on a terminal one line that is rewritten, elsewhere a line an
/// iteration.
class Progress {
  public:
    /// `columns` of the terminal; 0 = none. `label` begins every line, e.g. the arbiter.
    Progress(int columns, std::string label);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void iteration_ended(const IterationNews& news);
    void resumed(const std::string& line);
    void evaluated(int iteration, double loss);

  private:
    void show(const std::string& line);

    int columns_;
    std::string label_;
    int first_ = -1;  // iteration that this run began with
    bool line_open_ = false;
    std::chrono::steady_clock::time_point begin_;  // of the first iteration told of
};

}  // namespace rrfp
