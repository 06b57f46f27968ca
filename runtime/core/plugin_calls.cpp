#include "runtime/core/plugin_calls.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <signal.h>
#include <unistd.h>
#include <utility>

namespace rrfp {
namespace {

constexpr std::array signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
std::array<struct sigaction, signals.size()> handlers_before;

// Read by a signal handler on the thread itself.
thread_local const char* current_whose = nullptr;
thread_local const char* current_function = nullptr;

// What follows may be called in a signal handler.

void print(const char* text) {
    // A message that cannot be written has nobody else to go to.
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void tell(const char* how) {
    for (const char* part : {"rrfp: ", current_whose, ": the process ends in ", current_function,
                             ", ", how, "; mend the plugin\n"}) {
        print(part);
    }
    current_whose = nullptr;
}

const char* name(int signal) {
    switch (signal) {
        case SIGSEGV:
            return "by signal SIGSEGV (an invalid address)";
        case SIGBUS:
            return "by signal SIGBUS (memory that is not there, as of a file cut short)";
        case SIGFPE:
            return "by signal SIGFPE (an arithmetic error)";
        case SIGILL:
            return "by signal SIGILL (an instruction this processor lacks)";
        default:
            return "by signal SIGABRT (it called abort)";
    }
}

void on_signal(int signal) {
    if (current_whose != nullptr) tell(name(signal));
    for (std::size_t i = 0; i < signals.size(); ++i) {
        if (signals[i] == signal) sigaction(signal, &handlers_before[i], nullptr);
    }
    // Blocked until this returns; then the handler from before, or the end.
    raise(signal);
}

void on_exit() {
    if (current_whose == nullptr) return;
    tell("which calls exit");
    _exit(1);
}

void install() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i) {
        sigaction(signals[i], &action, &handlers_before[i]);
    }
    std::atexit(on_exit);
}

}  // namespace

PluginCall::PluginCall(const char* whose, const char* function) {
    current_function = function;
    current_whose = whose;
}

PluginCall::~PluginCall() { current_whose = nullptr; }

void PluginCall::tell_of_ends() {
    static std::once_flag once;
    std::call_once(once, install);
}

}  // namespace rrfp
