#include "codelets/timing.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <system_error>

#include "runtime/system/this_thread.h"

namespace rrfp {
namespace {

// A virtual machine may wake a sleeper this late as a rule; longer is the scheduler's doing.
constexpr double longest_spin_ms = 0.25;

void sleep_to(double wake_ms) {
    constexpr double latest_ms = 1e15;  // thirty thousand years fit the kernel's clock
    wake_ms = std::min(wake_ms, latest_ms);
    const double seconds = std::floor(wake_ms / 1e3);
    timespec wake{};
    wake.tv_sec = static_cast<time_t>(seconds);
    wake.tv_nsec = static_cast<long>((wake_ms - seconds * 1e3) * 1e6);
    int code = EINTR;
    while (code == EINTR) {
        code = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr);
    }
    if (code != 0) {
        throw std::system_error(code, std::generic_category(), "clock_nanosleep");
    }
}

}  // namespace

void sleep_until_ms(double deadline_ms) {
    this_thread::set_precise_timers();
    // What a wake-up took lately on this thread; a single late one (a busy core) counts little.
    static thread_local double lateness_ms = 0.05;
    const double wake_ms = deadline_ms - lateness_ms;
    if (wake_ms > monotonic_ms()) {
        sleep_to(wake_ms);
        const double late = std::min(monotonic_ms() - wake_ms, longest_spin_ms);
        lateness_ms += 0.1 * (late - lateness_ms);
    }
    spin_until_ms(deadline_ms);
}

void spin_until_ms(double deadline_ms) {
    while (monotonic_ms() < deadline_ms) {
    }
}

}  // namespace rrfp
