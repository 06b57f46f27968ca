#include "runtime/system/this_thread.h"

#include <initializer_list>
#include <pthread.h>
#include <signal.h>

#include <sys/prctl.h>

namespace rrfp::this_thread {

void set_precise_timers() {
    constexpr unsigned long slack_ns = 1000;
    thread_local bool done = false;
    if (done) return;
    prctl(PR_SET_TIMERSLACK, slack_ns, 0UL, 0UL, 0UL);
    done = true;
}

void set_name(const char* name) { pthread_setname_np(pthread_self(), name); }

void block_signals() {
    sigset_t all;
    sigfillset(&all);
    // What the thread itself causes must still reach it.
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
        sigdelset(&all, fault);
    }
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace rrfp::this_thread
