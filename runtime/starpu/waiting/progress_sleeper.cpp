#include "runtime/starpu/waiting/progress_sleeper.h"

#include <sched.h>

#include "runtime/system/monotonic_clock.h"
#include "runtime/system/this_thread.h"

namespace rrfp {

ProgressSleeper::ProgressSleeper(Doorbell& bell, bool all_ring, bool single_copy)
    : bell_(bell), naps_(all_ring, single_copy) {}

void ProgressSleeper::cycle_ended(const PollingCycle& cycle) {
    this_thread::set_precise_timers();
    if (const auto longest = naps_.after(cycle, bell_.rings() != seen_, monotonic_ns())) {
        if (longest->count() == 0) {
            sched_yield();
        } else {
            bell_.sleep(seen_, *longest);
        }
    }
    // Last, so that it is read before the next cycle looks at anything.
    seen_ = bell_.rings();
}

}  // namespace rrfp
