#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/core/arbiters/registry.h"

namespace rrfp {

/// A shared library that brings arbiters ("runtime/core/plugin.h"). It stays loaded to the end of
/// the process.
class ArbiterPlugin {
  public:
    /// Loads the library at `path`, a file name and never a name to search for. Throws
    /// std::invalid_argument that names the path, the loader's reason and the remedy where the file
    /// cannot be loaded, has no entry point or another ABI version, or registers no arbiter, one
    /// without a name or a function, or one whose name is taken.
    static std::shared_ptr<const ArbiterPlugin> load(const std::string& path);

    const std::string& path() const { return path_; }
    const std::vector<ArbiterEntry>& arbiters() const { return arbiters_; }
    /// The entry called `name`, or nullptr.
    const ArbiterEntry* find(const std::string& name) const;

  private:
    ArbiterPlugin(std::string path, std::vector<ArbiterEntry> arbiters);

    std::string path_;
    std::vector<ArbiterEntry> arbiters_;
};

}  // namespace rrfp
