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

/// What ends with a child.
enum class Reach {
    child,  ///< it alone: what it has started goes, or tidies up, by itself
    group   ///< all that is left of the process group that it leads
};

/// Reads what `child` writes into the pipe, until it has ended or `longest_s` are over (0: no
/// limit); then ends it, or its group, at once, and reaps it. Another process that keeps the pipe
/// open is not waited for. Throws std::runtime_error when the child's end cannot be known.
ChildEnd wait_for_end(pid_t child, Reach reach, const Descriptor& read_end, double longest_s);

}  // namespace rrfp
