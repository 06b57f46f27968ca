#include "runtime/mpi/mpi_wait.h"

#include <algorithm>
#include <chrono>
#include <thread>

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

/// The overshoot is bounded by an eighth of what has been waited, and so is the work.
nanoseconds nap_after(nanoseconds waited) { return std::clamp(waited / 8, spin, longest_nap); }

}  // namespace

bool has_completed(MPI_Request& request, std::string_view call) {
    int completed = 0;
    // Below the profiling interface: the nap there is for StarPU-MPI's thread.
    check_mpi(PMPI_Test(&request, &completed, MPI_STATUS_IGNORE), call);
    return completed != 0;
}

bool wait_napping(MPI_Request& request, std::string_view call, double seconds) {
    this_thread::set_precise_timers();
    const std::int64_t begin = monotonic_ns();
    while (!has_completed(request, call)) {
        const nanoseconds waited(monotonic_ns() - begin);
        if (waited < spin) continue;
        if (seconds > 0 && waited > std::chrono::duration<double>(seconds)) return false;
        std::this_thread::sleep_for(nap_after(waited));
    }
    return true;
}

void barrier_napping(MPI_Comm communicator) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibarrier(communicator, &request), "MPI_Ibarrier");
    wait_napping(request);
}

}  // namespace rrfp
