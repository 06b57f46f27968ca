#include "runtime/mpi/mpi_wait.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "runtime/mpi/mpi_call.h"
#include "runtime/system/this_thread.h"

namespace rrfp {

void wait_napping(MPI_Request& request) {
    using std::chrono::microseconds;
    constexpr microseconds longest{1000};
    microseconds nap{20};
    this_thread::set_precise_timers();
    for (;;) {
        int completed = 0;
        // Below the profiling interface: the nap there is for StarPU-MPI's thread.
        check_mpi(PMPI_Test(&request, &completed, MPI_STATUS_IGNORE), "MPI_Test");
        if (completed != 0) return;
        std::this_thread::sleep_for(nap);
        nap = std::min(nap * 2, longest);
    }
}

void barrier_napping(MPI_Comm communicator) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibarrier(communicator, &request), "MPI_Ibarrier");
    wait_napping(request);
}

}  // namespace rrfp
