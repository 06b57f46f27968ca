#include "runtime/starpu/failing/end_job.h"

#include <chrono>
#include <mpi.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace rrfp {
namespace {

/// One write, so that messages of several ranks do not mix.
void print_line(std::string_view message) {
    std::string line(message);
    line += '\n';
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

/// MPI_Abort may wait for a lock that a broken thread holds.
void exit_soon(int code) {
    std::thread([code] {
        std::this_thread::sleep_for(std::chrono::seconds(3));
        _exit(code);
    }).detach();
}

bool mpi_is_running() {
    int initialized = 0;
    int finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    return initialized != 0 && finalized == 0;
}

}  // namespace

void end_job(int code, std::string_view message) {
    print_line(message);
    if (mpi_is_running()) {
        exit_soon(code);
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    _exit(code);
}

}  // namespace rrfp
