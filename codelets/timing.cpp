#include "codelets/timing.h"

#include <cerrno>
#include <cmath>
#include <ctime>
#include <system_error>

#include <sys/prctl.h>

namespace rrfp {
namespace {

void sharpen_timers_of_this_thread() {
    static thread_local const bool sharpened = [] {
        // A kernel that refuses leaves timers 50 us late, which is no error.
        constexpr unsigned long slack_ns = 1000;
        return prctl(PR_SET_TIMERSLACK, slack_ns, 0, 0, 0) == 0;
    }();
    static_cast<void>(sharpened);
}

}  // namespace

double monotonic_ms() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

void sleep_until_ms(double deadline_ms) {
    sharpen_timers_of_this_thread();
    const double seconds = std::floor(deadline_ms / 1e3);
    timespec deadline{};
    deadline.tv_sec = static_cast<time_t>(seconds);
    deadline.tv_nsec = static_cast<long>((deadline_ms - seconds * 1e3) * 1e6);
    int code = EINTR;
    while (code == EINTR) {
        code = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr);
    }
    if (code != 0) {
        throw std::system_error(code, std::generic_category(), "clock_nanosleep");
    }
}

void spin_until_ms(double deadline_ms) {
    while (monotonic_ms() < deadline_ms) {
    }
}

}  // namespace rrfp
