#pragma once

#include <string>

#include "adapters/jobs/job/job.h"
#include "adapters/jobs/run/run_hooks.h"

namespace rrfp {

/// The command is two programs of one source: `rrfp`, and beside it `rrfp-torch`, which has
/// libtorch and runs the ranks of gpt jobs. To load libtorch takes half a second of processor time,
/// which refusals, simulations, timed jobs and the launcher need not spend.
struct TorchProgram {
    using TrainerMaker = decltype(RunHooks::make_trainer);

    TrainerMaker make_trainer;    ///< empty where this program has no libtorch
    char* const* arguments = {};  ///< of this process, for the program that it becomes

    /// Returns if this program has libtorch; else the process becomes `rrfp-torch`. Throws
    /// std::runtime_error, with the remedy, if it cannot. Call it before MPI or threads start.
    void require() const;
    /// As `require` where `rrfp-torch` is there; returns where it is not.
    void prefer() const;
};

/// The program for the ranks of `job`. Throws std::runtime_error, with the remedy, if it is not
/// there.
std::string rank_program(const Job& job);

}  // namespace rrfp
