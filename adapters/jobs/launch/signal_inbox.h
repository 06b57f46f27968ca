#pragma once

#include <optional>
#include <signal.h>

#include "runtime/system/descriptor.h"

namespace rrfp {

/// The signals that ask a launcher for something, in the order they come, as a descriptor that
/// poll() waits for: the end of a child, and those by which a user or a system ends or suspends a
/// program. One that was ignored when this process started stays ignored, as under nohup.
class SignalInbox {
  public:
    /// Blocks the signals in this thread. Throws std::runtime_error that names the call.
    SignalInbox();
    /// Drops what has not been read, and restores how it was.
    ~SignalInbox();
    SignalInbox(const SignalInbox&) = delete;
    SignalInbox& operator=(const SignalInbox&) = delete;

    int descriptor() const { return file_.number(); }
    /// Nothing when none has come.
    std::optional<int> next() const;
    /// In a forked child that becomes another program: no signal is blocked, and the end of a child
    /// and a broken pipe are told.
    static void leave_to_child();

  private:
    sigset_t before_{};
    struct sigaction child_before_ {};
    struct sigaction pipe_before_ {};
    Descriptor file_;
};

}  // namespace rrfp
