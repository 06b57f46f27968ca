#pragma once

#include "adapters/command/common/torch_program.h"

namespace rrfp {

/// The command `rrfp`; `make_trainer` where the program has libtorch. Returns the exit code: 0
/// done, 2 bad input and nothing was started, 130 and 143 after SIGINT and SIGTERM, 1 or mpirun's
/// own when it failed.
int run_command(int argc, char** argv, TorchProgram::TrainerMaker make_trainer = {});

}  // namespace rrfp
