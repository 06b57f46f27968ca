#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "runtime/starpu/failing/life_sign.h"

namespace rrfp {

/// A rank whose end took the job with it.
struct RankEnd {
    int rank = 0;
    pid_t pid = 0;     ///< 0 = not known
    std::string host;  ///< empty = not known
    int signal = 0;    ///< 0 = it exited
    int exit_code = 0;

    friend bool operator==(const RankEnd&, const RankEnd&) = default;
};

/// Out of what mpirun says of the end of a job: the first rank that it names.
std::optional<RankEnd> find_rank_end(const std::vector<std::string>& notices);

/// E.g. "rank 2 (pid 4711, host n1) was ended by signal 9 (Killed) in iteration 3, in the forward
/// of stage 2, microbatch 5; the job was ended", and where to look. `sign` is what it was at, where
/// that is known.
std::string text_of(const RankEnd& end, const std::optional<LifeReading>& sign);

/// "signal 9 (Killed)".
std::string signal_text(int signal);

}  // namespace rrfp
