#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "runtime/system/descriptor.h"

namespace rrfp {

/// A running mpirun, a child of this process.
class MpirunProcess {
  public:
    /// Starts `command`, a path and what it is given, with `input` as its standard input. Throws
    /// std::runtime_error with the reason when it does not start.
    MpirunProcess(const std::vector<std::string>& command, int input);
    /// Ends it where it still runs.
    ~MpirunProcess();
    MpirunProcess(const MpirunProcess&) = delete;
    MpirunProcess& operator=(const MpirunProcess&) = delete;

    pid_t pid() const { return pid_; }
    /// What it and its ranks write to standard error; reading never blocks. -1 when it is closed.
    int error_output() const { return errors_.read_end.number(); }
    void close_error_output() { errors_.read_end.close(); }
    void signal(int number) const;
    /// How it ended, as waitpid gives it; nothing while it runs.
    std::optional<int> status();

  private:
    Pipe errors_;
    pid_t pid_ = -1;
    std::optional<int> status_;
};

}  // namespace rrfp
