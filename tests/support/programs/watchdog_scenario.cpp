// watchdog_scenario <scenario> <limit in seconds>: three ranks in a situation that the watchdog
// must judge. Waits are for the end of the job, never for a time, but for the long task itself.
//
//   stopped    rank 1 stops itself (SIGSTOP); the others wait for it
//   unanswered every rank waits for a message that nobody sends
//   long-task  rank 0 runs a task of three limits, the others wait for it; ends well
//   killed     rank 2 kills itself (SIGKILL)
//   fault      rank 1 gets SIGSEGV
//   exception  an exception leaves the scope of the Runtime on rank 1

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

#include "runtime/mpi/mpi_wait.h"
#include "runtime/starpu/runtime.h"

namespace {

rrfp::ProgressReport waiting_for(int rank) {
    rrfp::ProgressReport report;
    report.progress = 7;
    report.working = true;
    report.ready = "2F7 2B3";
    report.awaited = {"activation of microbatch 4 from rank " + std::to_string(rank)};
    return report;
}

rrfp::ProgressReport running() {
    rrfp::ProgressReport report;
    report.working = true;
    report.busy = true;
    return report;
}

/// Until the watchdog, or mpirun on its behalf, ends this process.
[[noreturn]] void wait_for_the_end() {
    for (;;) pause();
}

void play(const std::string& scenario, rrfp::Runtime& runtime, double limit_s) {
    const int rank = runtime.rank();
    runtime.watchdog().watch([rank] { return waiting_for((rank + 2) % 3); });
    rrfp::barrier_napping(MPI_COMM_WORLD);
    if (scenario == "stopped") {
        if (rank == 1) kill(getpid(), SIGSTOP);
        wait_for_the_end();
    }
    if (scenario == "unanswered") wait_for_the_end();
    if (scenario == "killed") {
        if (rank == 2) kill(getpid(), SIGKILL);
        wait_for_the_end();
    }
    if (scenario == "fault") {
        if (rank == 1) raise(SIGSEGV);
        wait_for_the_end();
    }
    if (scenario == "exception" && rank == 1) throw std::runtime_error("lost on the way");
    if (scenario == "long-task" && rank == 0) {
        runtime.watchdog().watch(running);
        std::this_thread::sleep_for(std::chrono::duration<double>(3 * limit_s));
    }
    rrfp::barrier_napping(MPI_COMM_WORLD);
    runtime.watchdog().watch(nullptr);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s <scenario> <limit in seconds>\n", argv[0]);
        return 2;
    }
    const double limit_s = std::atof(argv[2]);
    try {
        rrfp::Runtime runtime({.watchdog_seconds = limit_s});
        play(argv[1], runtime, limit_s);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
    return 0;
}
