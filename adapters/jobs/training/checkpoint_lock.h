#pragma once

#include <string>

#include "runtime/system/descriptor.h"

namespace rrfp {

/// Keeps other jobs from the checkpoints in a folder, by a lock on the file `checkpoint.lock` in it
/// that goes with the process, however that ends. The file says who holds it, and stays.
class CheckpointLock {
  public:
    /// Waits `seconds` for another job that is about to end. std::runtime_error that names the
    /// holder where it has not by then, or the reason where the file cannot be opened.
    explicit CheckpointLock(const std::string& folder, double seconds = 5);

    /// Why the folder is not locked, for the user to know: its file system has no locks. Else
    /// empty.
    const std::string& notice() const { return notice_; }

  private:
    Descriptor file_;
    std::string notice_;
};

}  // namespace rrfp
