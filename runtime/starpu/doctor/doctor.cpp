#include "runtime/starpu/doctor/doctor.h"

#include <exception>
#include <mpi.h>
#include <starpu.h>

#include <fmt/format.h>

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
            examine("Cores", cores)};
}

}  // namespace rrfp
