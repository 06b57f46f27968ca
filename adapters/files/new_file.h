#pragma once

#include <string>

#include "runtime/system/descriptor.h"

namespace rrfp {

/// A new file beside `target`, under a name that was free and that nobody can foresee, so that no
/// link waits there and no other writer shares it. It is removed at the end unless it took the
/// target's place.
class NewFile {
  public:
    /// Throws std::system_error with path and reason.
    explicit NewFile(const std::string& target);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    const Descriptor& descriptor() const { return file_; }
    /// Closes it and gives it the target's name: what stood there is replaced, a link itself and
    /// not what it leads to. Throws std::system_error.
    void take_the_place();

  private:
    std::string target_;
    std::string path_;
    Descriptor file_;
    bool placed_ = false;
};

}  // namespace rrfp
