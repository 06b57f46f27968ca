#include "adapters/collectives/mpi_operation.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "runtime/mpi/mpi_call.h"
#include "runtime/system/monotonic_clock.h"
#include "runtime/system/this_thread.h"

namespace rrfp {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

/// About what a nap costs: peers that come together finish without one.
constexpr nanoseconds spin = microseconds(20);
constexpr nanoseconds longest_nap = microseconds(1000);

/// An eighth of what has been waited: the overshoot is bounded by that part, and so is the work.
nanoseconds nap_after(nanoseconds waited) { return std::clamp(waited / 8, spin, longest_nap); }

}  // namespace

bool MpiOperation::finished() {
    int completed = 0;
    // Below the profiling interface: the nap there is for StarPU-MPI's thread.
    check_mpi(PMPI_Test(&request_, &completed, MPI_STATUS_IGNORE), what_);
    return completed != 0;
}

void MpiOperation::wait() {
    this_thread::set_precise_timers();
    const std::int64_t begin = monotonic_ns();
    while (!finished()) {
        const nanoseconds waited(monotonic_ns() - begin);
        if (waited < spin) continue;
        if (wait_seconds_ > 0 && waited > std::chrono::duration<double>(wait_seconds_)) {
            throw std::runtime_error(
                fmt::format("{}: not every rank of the group has joined it after {} s; all must "
                            "start the same collectives in the same order. Raise "
                            "watchdog.seconds if a task may take that long",
                            what_, wait_seconds_));
        }
        std::this_thread::sleep_for(nap_after(waited));
    }
}

}  // namespace rrfp
