#pragma once

#include "runtime/system/monotonic_clock.h"

namespace rrfp {

/// Sleeps until `deadline_ms` of `monotonic_ms`, returning at once when it has passed; never early.
/// It asks to be woken as much sooner as wake-ups were late on this thread before, and spins what
/// is then left, at most about 0.25 ms: kernels, virtual machines above all, wake sleepers 0.05 to
/// 0.2 ms late, which would lengthen every timed task. The first call on a thread sets its timer
/// slack to 1 us. Throws std::system_error when the kernel refuses the sleep.
void sleep_until_ms(double deadline_ms);

/// As `sleep_until_ms`, but keeps the core busy.
void spin_until_ms(double deadline_ms);

}  // namespace rrfp
