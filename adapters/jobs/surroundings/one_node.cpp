#include "adapters/jobs/surroundings/one_node.h"

#include <algorithm>
#include <initializer_list>

#include "adapters/jobs/surroundings/environment.h"
#include "adapters/jobs/surroundings/mpi_settings.h"

namespace rrfp {
namespace {

/// Batch systems that give Open MPI nodes.
bool in_allocation() {
    const auto names = {"SLURM_JOB_ID", "SLURM_JOBID", "PBS_NODEFILE",  "PBS_JOBID",
                        "PE_HOSTFILE",  "LSB_JOBID",   "LOADL_STEP_ID", "COBALT_NODEFILE"};
    return std::ranges::any_of(names, [](const char* name) { return variable(name).has_value(); });
}

/// Open MPI's own ways to be told of nodes and of how to start ranks there.
bool nodes_set() {
    const auto names = {"orte_default_hostfile", "plm", "ras", "orte_launch_agent"};
    return std::ranges::any_of(names, [](const char* name) {
        return setting_of_user(name).has_value() || setting_of_system(name).has_value();
    });
}

}  // namespace

bool ranks_stay_here() { return !in_allocation() && !nodes_set() && !has_default_hosts(); }

}  // namespace rrfp
