#include "adapters/jobs/file/job_file.h"

#include <string>
#include <vector>

#include "adapters/jobs/job/bad_input.h"
#include "tests/fuzz/targets.h"

namespace rrfp::fuzz {
namespace {

struct Input {
    JobText file;
    std::vector<std::string> overrides;
};

Input split(std::string_view input) {
    constexpr std::string_view mark = "\n--set ";
    Input result;
    std::vector<std::string> parts;
    for (auto end = input.find(mark); end != std::string_view::npos; end = input.find(mark)) {
        parts.emplace_back(input.substr(0, end));
        input.remove_prefix(end + mark.size());
    }
    parts.emplace_back(input);
    // The folder is not there, so that no relative path leads anywhere.
    result.file = {.path = "/nowhere/job.toml", .text = parts.front()};
    result.overrides.assign(parts.begin() + 1, parts.end());
    return result;
}

/// Whether a plan is made at once: large ones take their time, which a check of their size bounds.
bool is_small(const Job& job) {
    constexpr std::int64_t most_pairs = 2'000;
    return std::int64_t{job.parallel.pipeline} * job.parallel.chunks * job.train.microbatches <=
           most_pairs;
}

}  // namespace

void job_file(std::string_view input) {
    const Input parts = split(input);
    try {
        if (is_small(read_keys(parts.file, parts.overrides))) {
            load_job(parts.file, parts.overrides);
        }
    } catch (const BadInput&) {
    }
}

}  // namespace rrfp::fuzz
