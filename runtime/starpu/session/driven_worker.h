#pragma once

struct starpu_driver;

namespace rrfp {

/// The CPU worker of a StarPU that starts no thread for it: the constructing thread runs its tasks,
/// whenever it calls `run_once`. That thread keeps its name and its binding. StarPU must have been
/// initialised with `identity()` among the drivers that it does not launch.
class DrivenWorker {
  public:
    /// Throws std::runtime_error when StarPU does not hand the worker over.
    DrivenWorker();
    ~DrivenWorker();
    DrivenWorker(const DrivenWorker&) = delete;
    DrivenWorker& operator=(const DrivenWorker&) = delete;

    /// For `starpu_conf::not_launched_drivers`.
    static starpu_driver* identity();

    /// One turn of the worker: looks for a task or executes the one that it has found. With nothing
    /// to do it sleeps in the policy for as long as `limit_sleep` allows.
    void run_once();
};

}  // namespace rrfp
