#pragma once

#include <string>

#include <sys/types.h>

#include "runtime/system/descriptor.h"

namespace rrfp {

/// How a child process ended.
struct ChildEnd {
    int status = 0;         ///< as waitpid gives it
    std::string output;     ///< what it wrote into its pipe
    bool ran_late = false;  ///< it was ended because its time was over
};

/// Reads what `child`, the leader of a process group of its own, writes into the pipe, until it has
/// ended or `longest_s` are over (0: no limit); then ends what is left of its group, and reaps it.
/// A process that has left the group and keeps the pipe open is not waited for. Throws
/// std::runtime_error when the child's end cannot be known; it has been ended then.
ChildEnd wait_for_end(pid_t child, const Descriptor& read_end, double longest_s);

}  // namespace rrfp
