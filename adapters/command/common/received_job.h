#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "adapters/jobs/file/handed_job.h"
#include "adapters/jobs/launch/launcher.h"
#include "adapters/jobs/launch/mpi_world.h"

namespace rrfp {

/// The exit code of a rank whose job rank 0 could not read, and has told why.
struct NoJob {
    int exit_code = 1;
};

/// What this rank runs: read by rank 0 alone, from the launcher or from `make`, which gives the
/// text of `hand_over`, and broadcast. Collective, over MPI, which must be initialised. Where rank
/// 0 fails it throws there what `make` threw, and the others get NoJob.
std::variant<HandedJob, NoJob> receive_job(const MpiWorld& world,
                                           const std::function<std::string()>& make);

}  // namespace rrfp
