#include "runtime/mpi/mpi_start.h"

#include <cstdlib>
#include <mpi.h>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/mpi/mpi_call.h"
#include "runtime/mpi/single_copy.h"
#include "runtime/system/process_memory.h"

namespace rrfp {
namespace {

constexpr const char* level_remedy =
    "StarPU-MPI's thread and ours call MPI at the same time: initialise MPI with "
    "MPI_Init_thread(MPI_THREAD_MULTIPLE), or leave it to rrfp, and use an MPI built for it";

/// Where ranks may not read each other's memory Open MPI would try at each large message, and
/// complain at each. What the user has set stays.
void avoid_forbidden_copies() {
    constexpr int keep = 0;
    if (!may_read_parent()) setenv(single_copy_variable, "none", keep);
}

/// True when we are the ones who must finalise.
bool initialize_mpi() {
    int initialized = 0;
    check_mpi(MPI_Initialized(&initialized), "MPI_Initialized");
    int level = MPI_THREAD_SINGLE;
    if (initialized != 0) {
        check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
    } else {
        avoid_forbidden_copies();
        check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "MPI_Init_thread",
                  "Start the ranks with mpirun, or rrfp run");
    }
    if (level != MPI_THREAD_MULTIPLE) {
        throw std::runtime_error(
            fmt::format("MPI gives thread level {}, and MPI_THREAD_MULTIPLE is {}. {}", level,
                        static_cast<int>(MPI_THREAD_MULTIPLE), level_remedy));
    }
    return initialized == 0;
}

}  // namespace

MpiStart::MpiStart() : finalize_(initialize_mpi()) {}

MpiStart::~MpiStart() {
    if (finalize_) MPI_Finalize();
}

}  // namespace rrfp
