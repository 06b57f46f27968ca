#include "runtime/system/process_memory.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <unistd.h>

#include <sys/uio.h>

#include "runtime/system/child_trial.h"

namespace rrfp {
namespace {

constexpr unsigned trial_seconds = 20;

/// Reads a word of its parent's, as one rank reads its neighbour's. Where only ancestors may read
/// (Yama) or the call is forbidden (containers), this fails.
std::string read_from_parent() {
    static const int word = 42;
    int copy = 0;
    const iovec local{&copy, sizeof copy};
    const iovec remote{const_cast<int*>(&word), sizeof word};
    if (process_vm_readv(getppid(), &local, 1, &remote, 1, 0) != sizeof copy) {
        throw std::runtime_error(std::strerror(errno));
    }
    return {};
}

}  // namespace

std::optional<std::string> why_no_reading_of_processes() {
    const TrialResult trial = try_in_child(read_from_parent, trial_seconds);
    return trial.succeeded ? std::nullopt : std::optional(trial.text);
}

bool may_read_parent() {
    char copy = 0;
    const iovec local{&copy, sizeof copy};
    const iovec nothing{nullptr, sizeof copy};  // where it may read, it finds no memory there
    return process_vm_readv(getppid(), &local, 1, &nothing, 1, 0) >= 0 || errno == EFAULT;
}

}  // namespace rrfp
