#pragma once

namespace rrfp {

/// The command `rrfp`. Returns the exit code: 0 done, 2 bad input and nothing was started, 130 and
/// 143 after SIGINT and SIGTERM, 1 or mpirun's own when it failed.
int run_command(int argc, char** argv);

}  // namespace rrfp
