#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// Where a key's value lives in a Job. The type is the type of the key; the value in a `Job{}` is
/// its default.
using KeyTarget =
    std::variant<bool& (*)(Job&), int& (*)(Job&), std::int64_t& (*)(Job&), std::uint64_t& (*)(Job&),
                 double& (*)(Job&), std::optional<double>& (*)(Job&), std::string& (*)(Job&),
                 std::vector<int>& (*)(Job&), std::vector<double>& (*)(Job&),
                 WordOrNumbers& (*)(Job&)>;

/// One key of the job file. The table of all keys is what parsing, `--set`, the `job` object of the
/// report and docs/job-file.md are made from.
struct JobKey {
    std::string_view section;
    std::string_view name;
    KeyTarget target;
    std::optional<double> minimum = std::nullopt;  ///< of the number, or of each entry of a list
    std::optional<double> maximum = std::nullopt;
    bool above_minimum = false;  ///< the minimum itself is excluded
    /// The values a text may take; null where any may stand.
    std::vector<std::string> (*choices)() = nullptr;
    std::string_view unit = {};
    std::string_view doc = {};

    /// `section.name`
    std::string path() const;
};

/// All keys, section by section in the order documentation lists them.
std::span<const JobKey> job_keys();
/// The section names in that order.
std::vector<std::string> job_sections();
/// The names of the keys of `section`.
std::vector<std::string> job_key_names(std::string_view section);
/// Null where there is no such key.
const JobKey* find_job_key(std::string_view section, std::string_view name);

}  // namespace rrfp
