#include "runtime/starpu/doctor/doctor.h"

#include <cstring>
#include <errno.h>
#include <mpi.h>
#include <starpu.h>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <sys/uio.h>

#include "runtime/starpu/calls/starpu_prefix.h"
#include "runtime/starpu/runtime.h"
#include "runtime/starpu/session/binding.h"
#include "runtime/starpu/tracing/trace.h"
#include "runtime/starpu/waiting/progress_hooks.h"
#include "runtime/system/child_trial.h"

namespace rrfp {
namespace {

constexpr unsigned trial_seconds = 20;

Fact starpu_version() {
    int major = 0;
    int minor = 0;
    int release = 0;
    starpu_get_version(&major, &minor, &release);
    const std::string version = fmt::format("{}.{}.{}", major, minor, release);
    if (major > 1 || (major == 1 && minor >= 4)) {
        return {"StarPU", fmt::format("{} in {}", version, starpu_prefix()), Health::ok, {}};
    }
    return {"StarPU", version, Health::fail, "rrfp needs 1.4 or later: run scripts/setup"};
}

Fact traces() {
    if (starpu_has_fxt()) return {"Traces", "StarPU has FxT", Health::ok, {}};
    return {"Traces", "StarPU was built without FxT", Health::warn,
            "--trace is refused: build StarPU with scripts/setup, or with --with-fxt"};
}

Fact waiting() {
    if (have_progress_hooks()) {
        return {"Waiting", "doorbell: StarPU-MPI has the progress hooks", Health::ok, {}};
    }
    return {"Waiting", "naps: StarPU-MPI has no progress hooks", Health::warn,
            "messages wait up to 0.1 ms longer, and an idle rank uses a tenth of a core: build "
            "StarPU with scripts/setup"};
}

Fact mpi_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string version(text, static_cast<std::size_t>(length));
    return {"MPI", version.substr(0, version.find_first_of(",\n")), Health::ok, {}};
}

/// A whole runtime of one rank: MPI with its threads, StarPU, the policy in force.
Fact a_rank_starts() {
    const TrialResult trial = try_in_child(
        [] {
            const Runtime runtime({.watchdog_seconds = 0});
            return std::string("MPI_THREAD_MULTIPLE, StarPU runs the policy rrfp");
        },
        trial_seconds);
    if (trial.succeeded) return {"A rank starts", trial.text, Health::ok, {}};
    return {"A rank starts", trial.text, Health::fail,
            "the message says what to change; STARPU_SILENT=0 shows StarPU's own"};
}

Fact cores() {
    const NodeCores found = find_node_cores();
    if (found.restricted) {
        return {
            "Cores",
            fmt::format("{} cores, of which this process may use a part", found.first_pu.size()),
            Health::warn,
            "ranks are left where they were bound: start them with mpirun --bind-to none"};
    }
    return {"Cores",
            fmt::format("{} cores: up to {} ranks get two each, more share them unbound",
                        found.first_pu.size(), found.first_pu.size() / 2),
            Health::ok,
            {}};
}

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
    return "available";
}

Fact single_copy() {
    const TrialResult trial = try_in_child(read_from_parent, trial_seconds);
    if (trial.succeeded) return {"Single-copy transfers (CMA)", trial.text, Health::ok, {}};
    return {"Single-copy transfers (CMA)", "not available: " + trial.text, Health::warn,
            "messages above 4 KB cost a second copy and keep both ends polling: set "
            "/proc/sys/kernel/yama/ptrace_scope to 0, or give the container CAP_SYS_PTRACE"};
}

Fact shared_memory() {
    constexpr double mib = 1024.0 * 1024.0;
    constexpr double needed_mib = 256;  // Open MPI's own for eight ranks, with room to spare
    struct statvfs space {};
    if (statvfs("/dev/shm", &space) != 0) {
        return {"Shared memory", "/dev/shm cannot be read", Health::warn, "mount a tmpfs there"};
    }
    const double free_mib =
        static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) / mib;
    Fact fact{
        "Shared memory", fmt::format("{:.0f} MiB free in /dev/shm", free_mib), Health::ok, {}};
    if (free_mib < needed_mib) {
        fact.health = Health::warn;
        fact.remedy = fmt::format(
            "ranks on one node need about {} MiB: remove old files there, or "
            "give the container more (docker --shm-size)",
            needed_mib);
    }
    return fact;
}

/// What could not be found out is a finding, too.
Fact examine(const char* name, Fact (*examination)()) {
    try {
        return examination();
    } catch (const std::exception& error) {
        return {name, error.what(), Health::fail, "repair what the message names"};
    }
}

}  // namespace

std::vector<Fact> examine_runtime() {
    return {examine("StarPU", starpu_version),
            examine("Traces", traces),
            examine("Waiting", waiting),
            examine("MPI", mpi_version),
            examine("A rank starts", a_rank_starts),
            examine("Cores", cores),
            examine("Single-copy transfers (CMA)", single_copy),
            examine("Shared memory", shared_memory)};
}

}  // namespace rrfp
