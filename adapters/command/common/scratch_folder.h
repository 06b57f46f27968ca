#pragma once

#include <string>

namespace rrfp {

/// A new folder in the system's place for temporary files, removed with all it holds at the end.
class ScratchFolder {
  public:
    /// Throws std::runtime_error with path and reason.
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace rrfp
