#include "runtime/system/futex.h"

#include <errno.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/syscall.h>

namespace rrfp::futex {

bool wait(const Word& word, std::uint32_t seen, std::chrono::nanoseconds timeout) {
    constexpr std::int64_t second = 1'000'000'000;
    const timespec relative{static_cast<time_t>(timeout.count() / second),
                            static_cast<long>(timeout.count() % second)};
    const long result = syscall(SYS_futex, &word, FUTEX_WAIT, seen, &relative, nullptr, 0);
    return result == 0 || errno == EAGAIN;
}

void wake(const Word& word) { syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

}  // namespace rrfp::futex
