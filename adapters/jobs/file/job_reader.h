#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "adapters/jobs/file/job_keys.h"
#include "adapters/jobs/file/origins.h"

namespace rrfp {

/// Writes TOML values into a Job, key by key, and collects what is wrong with them. Checks what one
/// key says by itself: that it exists, its type, its range; not how keys go together.
class JobReader {
  public:
    JobReader(Job& job, Origins& origins) : job_(job), origins_(origins) {}

    /// Every section of `document`, which is the file `file`; relative paths start at `folder`.
    void read(const toml::table& document, const std::string& file,
              const std::filesystem::path& folder);
    /// One value, given at `place`.
    void read(const std::string& section, const std::string& name, const toml::node& value,
              const std::string& place, const std::filesystem::path& folder);

    void add_fault(std::string message) { faults_.push_back(std::move(message)); }
    const std::vector<std::string>& faults() const { return faults_; }

  private:
    void read_section(const std::string& section, const toml::node& node, const std::string& file,
                      const std::filesystem::path& folder);
    void refuse_unknown(const std::string& section, const std::string& name,
                        const std::string& value, const std::string& place);
    void note_given(const JobKey& key, const std::filesystem::path& folder);

    Job& job_;
    Origins& origins_;
    std::vector<std::string> faults_;
};

}  // namespace rrfp
