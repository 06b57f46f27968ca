#include "adapters/collectives/mpi_operation.h"

#include <stdexcept>

#include <fmt/format.h>

#include "runtime/mpi/mpi_wait.h"

namespace rrfp {

bool MpiOperation::finished() { return has_completed(request_, what_); }

void MpiOperation::wait() {
    if (wait_napping(request_, what_, wait_seconds_)) return;
    throw std::runtime_error(
        fmt::format("{}: not every rank of the group has joined it after {} s; all must "
                    "start the same collectives in the same order. Raise "
                    "watchdog.seconds if a task may take that long",
                    what_, wait_seconds_));
}

}  // namespace rrfp
