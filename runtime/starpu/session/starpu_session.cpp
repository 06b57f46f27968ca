#include "runtime/starpu/session/starpu_session.h"

#include <cstring>
#include <mpi.h>
#include <starpu.h>
#include <starpu_mpi.h>
#include <starpu_scheduler.h>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace rrfp {
namespace {

starpu_conf one_cpu_worker(starpu_sched_policy& policy) {
    starpu_conf conf;
    if (starpu_conf_init(&conf) != 0) throw std::runtime_error("starpu_conf_init failed");
    starpu_conf_noworker(&conf);
    conf.ncpus = 1;
    conf.precedence_over_environment_variables = 1;
    // A name found in the environment would be looked up first.
    conf.sched_policy_name = nullptr;
    conf.sched_policy = &policy;
    // Signals belong to the program.
    conf.catch_signals = 0;
    return conf;
}

void check_policy(const char* wanted) {
    const starpu_sched_policy* policy = starpu_sched_get_sched_policy();
    const char* found = policy != nullptr ? policy->policy_name : "none";
    if (std::strcmp(found, wanted) != 0) {
        throw std::runtime_error(fmt::format(
            "StarPU runs the scheduling policy '{}' instead of '{}'. Unset STARPU_SCHED and "
            "STARPU_SCHED_LIB, and start StarPU through rrfp::Runtime only",
            found, wanted));
    }
}

void check_workers() {
    const unsigned all = starpu_worker_get_count();
    const unsigned cpus = starpu_cpu_worker_get_count();
    if (all != 1 || cpus != 1) {
        throw std::runtime_error(fmt::format(
            "StarPU started {} workers, {} of them CPUs, and a rank needs exactly one CPU worker. "
            "Look at the STARPU_* variables of the environment",
            all, cpus));
    }
}

}  // namespace

StarpuSession::StarpuSession(starpu_sched_policy& policy, WorkerThread worker) : policy_(policy) {
    starpu_conf conf = one_cpu_worker(policy);
    if (worker == WorkerThread::calling) {
        conf.not_launched_drivers = DrivenWorker::identity();
        conf.n_not_launched_drivers = 1;
    }
    const int code = starpu_mpi_init_conf(nullptr, nullptr, 0, MPI_COMM_WORLD, &conf);
    if (code != 0) {
        throw std::runtime_error(fmt::format(
            "starpu_mpi_init_conf failed with code {}: {}. STARPU_SILENT=0 shows StarPU's own "
            "messages",
            code, std::strerror(-code)));
    }
    if (worker == WorkerThread::calling) driven_.emplace();
}

StarpuSession::~StarpuSession() {
    driven_.reset();
    starpu_mpi_shutdown();
}

void StarpuSession::check() const {
    check_policy(policy_.policy_name);
    check_workers();
}

}  // namespace rrfp
