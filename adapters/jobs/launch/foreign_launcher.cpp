#include "adapters/jobs/launch/foreign_launcher.h"

#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "adapters/jobs/job/bad_input.h"

namespace rrfp {
namespace {

/// What a launcher leaves in the environment of each process that it starts.
struct Launcher {
    const char* name;
    const char* rank;  ///< the variables' names
    const char* size;
};

constexpr std::array launchers = {
    Launcher{"srun of Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
    Launcher{"MVAPICH's mpirun", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
    Launcher{"MPICH's or Intel MPI's mpirun (hydra)", "PMI_RANK", "PMI_SIZE"},
    Launcher{"aprun or mpiexec of PALS", "PALS_RANKID", "PALS_NRANKS"},
    Launcher{"IBM's jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"},
};

bool by_open_mpi() { return std::getenv("OMPI_COMM_WORLD_RANK") && std::getenv("PMIX_RANK"); }

bool started_several(const Launcher& launcher) {
    const char* rank = std::getenv(launcher.rank);
    const char* size = std::getenv(launcher.size);
    return rank && size && std::atoi(size) > 1;
}

void refuse_variables_alone() {
    const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
    const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
    if ((!size && !rank) || std::getenv("PMIX_RANK")) return;
    throw BadInput(
        fmt::format("{}={} is set as if mpirun had started this process, but PMIX_RANK, which "
                    "mpirun sets, too, "
                    "is not; unset OMPI_COMM_WORLD_SIZE and OMPI_COMM_WORLD_RANK",
                    size ? "OMPI_COMM_WORLD_SIZE" : "OMPI_COMM_WORLD_RANK", size ? size : rank));
}

}  // namespace

void refuse_foreign_launcher() {
    refuse_variables_alone();
    if (by_open_mpi()) return;
    for (const Launcher& launcher : launchers) {
        if (!started_several(launcher)) continue;
        throw BadInput(fmt::format(
            "started {} times by {} ({}={}), which rrfp does not know: each process would run the "
            "whole job. Start rrfp run once, without it, or its ranks with Open MPI's mpirun",
            std::getenv(launcher.size), launcher.name, launcher.rank, std::getenv(launcher.rank)));
    }
}

int rank_by_any_launcher() {
    if (const char* rank = std::getenv("OMPI_COMM_WORLD_RANK")) return std::atoi(rank);
    for (const Launcher& launcher : launchers) {
        if (started_several(launcher)) return std::atoi(std::getenv(launcher.rank));
    }
    return 0;
}

}  // namespace rrfp
