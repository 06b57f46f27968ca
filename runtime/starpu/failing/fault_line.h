#pragma once

namespace rrfp {

/// From here on a signal that ends this process for a fault of its own (SIGSEGV, SIGBUS, SIGILL,
/// SIGFPE, SIGABRT) is first told in one line on standard error, with rank, host, pid and what the
/// process was at; then it takes the course that it had. For jobs that no launcher of ours watches.
void tell_faults_of(int rank);

}  // namespace rrfp
