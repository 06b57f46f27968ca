#pragma once

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <string>

#include "runtime/starpu/failing/watchdog.h"
#include "runtime/starpu/session/worker_thread.h"

namespace rrfp {

class DrivenWorker;

/// How idle threads wait.
enum class Waiting {
    automatic,  ///< doorbell where StarPU-MPI has the hooks, else naps
    doorbell,   ///< sleep on a futex word in the node's shared segment, rung by senders
    nap,        ///< short sleeps through MPI's profiling interface
    spin        ///< poll without pause: for nodes with cores to spare
};

struct RuntimeOptions {
    Waiting waiting = Waiting::automatic;
    /// Seconds without progress after which the watchdog ends the job; 0 disables it.
    double watchdog_seconds = 60;
    /// What the watchdog's message calls that limit: whoever set it knows it by another name.
    std::string watchdog_key = "RuntimeOptions::watchdog_seconds";
    /// Folder for StarPU's FxT files of this run; empty means no trace.
    std::string trace_folder{};
    /// Bind the worker with hwloc when the ranks of the node fit its cores; never otherwise.
    bool bind = true;
    /// With `calling`, tasks run on the constructing thread while it is in PipelineRunner::run, so
    /// that what is thread-local there holds for them; nothing is bound.
    WorkerThread worker = WorkerThread::own;
};

/// MPI, StarPU with one compute worker under the policy `rrfp`, StarPU-MPI, doorbell and watchdog
/// of one process. One object a process; construct it on the main thread.
class Runtime {
  public:
    /// Initialises MPI with MPI_THREAD_MULTIPLE unless that was done. Throws std::runtime_error
    /// that names the call, its code and the remedy; in particular when the policy in force is not
    /// ours.
    explicit Runtime(const RuntimeOptions& options);
    /// Shuts everything down in order. Nothing may be in flight.
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    int rank() const;
    int ranks() const;
    /// How idle threads wait in this run, after `automatic` was resolved.
    Waiting waiting() const;
    Watchdog& watchdog();
    /// The worker that the constructing thread drives; nullptr where it has a thread of its own.
    DrivenWorker* driven_worker();
    /// Milliseconds on a clock that all ranks of the node share (CLOCK_MONOTONIC).
    static double now_ms();

    /// Completes `request` without spinning: tests it, and sleeps in growing naps (20 us to 1 ms)
    /// between tests. For collectives outside StarPU-MPI.
    static void wait(MPI_Request& request);

    /// Prints `message` once on standard error and ends the whole job with `code` within seconds.
    [[noreturn]] void abort(int code, const std::string& message);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace rrfp
