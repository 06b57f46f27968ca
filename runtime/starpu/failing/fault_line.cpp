#include "runtime/starpu/failing/fault_line.h"

#include <array>
#include <signal.h>
#include <unistd.h>
#include <utility>

#include "runtime/starpu/failing/life_sign.h"
#include "runtime/system/host_name.h"

namespace rrfp {
namespace {

constexpr std::array faults = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

// What the handler needs is here before it runs: it may neither allocate nor ask for a name.
int own_rank = 0;
std::array<char, 256> host{};
std::array<struct sigaction, faults.size()> before{};

void tell(int signal, siginfo_t* cause, void*) {
    for (std::size_t i = 0; i < faults.size(); ++i) {
        if (faults[i] == signal) sigaction(signal, &before[i], nullptr);
    }
    SafeLine line;
    line << "rrfp: rank " << own_rank << " (pid " << getpid() << ", host " << host.data()
         << ") got signal " << signal << " ";
    life_sign().read().append_to(line);
    line << "\n";
    [[maybe_unused]] const ssize_t written =
        write(STDERR_FILENO, line.text().data(), line.text().size());
    // A fault of an instruction comes again when that is repeated; one that was sent does not.
    if (cause->si_code <= 0) raise(signal);
}

}  // namespace

void tell_faults_of(int rank) {
    static bool told = false;
    own_rank = rank;
    if (std::exchange(told, true)) return;  // or the former course would be this one
    host_name().copy(host.data(), host.size() - 1);
    for (std::size_t i = 0; i < faults.size(); ++i) {
        struct sigaction action {};
        action.sa_sigaction = tell;
        action.sa_flags = SA_SIGINFO;
        sigemptyset(&action.sa_mask);
        sigaction(faults[i], &action, &before[i]);
    }
}

}  // namespace rrfp
