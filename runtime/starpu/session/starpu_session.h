#pragma once

#include <optional>
#include <starpu.h>

#include "runtime/starpu/session/driven_worker.h"
#include "runtime/starpu/session/worker_thread.h"

namespace rrfp {

/// StarPU with one CPU worker under a policy of ours, and StarPU-MPI over an MPI that is running.
/// Set the environment first. Construct and destroy it on the main thread; both are collective.
class StarpuSession {
  public:
    /// `policy` outlives it. Throws std::runtime_error when StarPU does not start.
    explicit StarpuSession(starpu_sched_policy& policy, WorkerThread worker = WorkerThread::own);
    /// Waits for what was submitted. A receive that no send answers makes it wait for ever.
    ~StarpuSession();
    StarpuSession(const StarpuSession&) = delete;
    StarpuSession& operator=(const StarpuSession&) = delete;

    /// Throws std::runtime_error when StarPU chose another policy or other workers. Apart from the
    /// constructor, so that a session refused at one rank is still shut down at all of them.
    void check() const;

    /// The worker that the constructing thread drives; nullptr where StarPU has a thread for it.
    DrivenWorker* driven_worker() { return driven_ ? &*driven_ : nullptr; }

  private:
    const starpu_sched_policy& policy_;
    std::optional<DrivenWorker> driven_;
};

}  // namespace rrfp
