#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapters/jobs/launch/rank_end.h"
#include "runtime/starpu/failing/life_sign.h"

namespace rrfp {

/// The names of Open MPI's variables that are rrfp's own choice, with blanks between them.
inline constexpr const char* own_settings_variable = "RRFP_OWN_SETTINGS";

/// What a launcher knows when mpirun has ended.
struct LaunchFacts {
    std::string mpirun;                ///< its path
    int pid = 0;                       ///< its own
    int status = 0;                    ///< of mpirun, as waitpid gives it
    std::vector<std::string> notices;  ///< what mpirun said of the end
    bool told = false;                 ///< one of our messages was printed meanwhile
    bool printed = false;              ///< anything was printed on standard error
    bool started = false;              ///< ranks ran
    std::optional<RankEnd> rank;       ///< the rank that mpirun names
    std::optional<LifeReading> sign;   ///< of that rank
};

struct LaunchVerdict {
    int exit_code = 0;
    std::string message;  ///< empty where all is said
    std::string quoted;   ///< Open MPI's own words, where they alone explain the end
};

/// The exit code of the job, and what is to be said of it: 0 when all is done, 2 when a rank has
/// refused its input, 1 for all else.
LaunchVerdict judge_end(const LaunchFacts& facts);

}  // namespace rrfp
