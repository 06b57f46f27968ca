#pragma once

#include "runtime/starpu/waiting/doorbell.h"
#include "runtime/starpu/waiting/progress_sleeper.h"

namespace rrfp {

/// True when the StarPU that this was compiled with lets its progress thread sleep.
bool have_progress_hooks();

/// Wakes StarPU-MPI's progress thread, if it sleeps on a doorbell. A thread that calls MPI beside
/// it calls this afterwards: MPI may have used that call to complete what the progress thread had
/// just looked for in vain, of which nothing else would tell it. Thread-safe.
void look_for_messages();

/// Lets StarPU-MPI's progress thread sleep on the doorbell, and StarPU-MPI ring it. Construct it
/// before StarPU-MPI starts, destroy it after its shutdown. One a process.
class ProgressHooks {
  public:
    /// Throws std::runtime_error when StarPU has no hooks.
    ProgressHooks(Doorbell& bell, bool all_ring);
    ~ProgressHooks();
    ProgressHooks(const ProgressHooks&) = delete;
    ProgressHooks& operator=(const ProgressHooks&) = delete;

  private:
    Doorbell& bell_;
    ProgressSleeper sleeper_;  ///< touched by StarPU-MPI's progress thread alone
};

}  // namespace rrfp
