#include "runtime/mpi/start_together.h"

#include <exception>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/mpi/mpi_call.h"
#include "runtime/mpi/mpi_wait.h"

namespace rrfp {

void start_together(const MpiSession& mpi, const std::function<void()>& step) {
    std::exception_ptr failure;
    try {
        step();
    } catch (...) {
        failure = std::current_exception();
    }
    const int mine = failure ? mpi.rank() : mpi.ranks();
    int first = mpi.ranks();
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, mpi.world(), &request),
              "MPI_Iallreduce");
    wait_napping(request);
    if (failure) std::rethrow_exception(failure);
    if (first < mpi.ranks()) {
        throw std::runtime_error(
            fmt::format("rank {} could not start; its own message says why", first));
    }
}

}  // namespace rrfp
