#pragma once

namespace rrfp {

/// CLOCK_MONOTONIC in milliseconds.
double monotonic_ms();

/// Sleeps until `deadline_ms` on that clock, returning at once when it has passed. The first call
/// on a thread sets the thread's timer slack to 1 us (Linux's default of 50 us would lengthen every
/// task). Throws std::system_error when the kernel refuses the sleep.
void sleep_until_ms(double deadline_ms);

/// As `sleep_until_ms`, but keeps the core busy.
void spin_until_ms(double deadline_ms);

}  // namespace rrfp
