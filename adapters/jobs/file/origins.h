#pragma once

#include <map>
#include <string>
#include <string_view>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// Where each value of a job comes from, so that a fault found late still names its line.
class Origins {
  public:
    /// `file` as the user wrote it; empty for a job built in memory.
    explicit Origins(std::string file = {}) : file_(std::move(file)) {}

    /// `key` (`section.name`) was given at `place` (`job.toml: line 19` or `--set`) as `value`.
    void record(const std::string& key, std::string place, std::string value);
    bool given(const std::string& key) const { return settings_.count(key) > 0; }

    /// The message of a fault: place, key, value, then `what`, which says what is wrong and the
    /// remedy. A key that was not given shows its default.
    std::string fault(const std::string& key, const Job& job, std::string_view what) const;

  private:
    struct Setting {
        std::string place;
        std::string value;
    };
    std::string file_;
    std::map<std::string, Setting> settings_;
};

}  // namespace rrfp
