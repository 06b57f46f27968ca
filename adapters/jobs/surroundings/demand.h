#pragma once

#include "adapters/jobs/job/job.h"

namespace rrfp {

/// What a job asks of the machine that its ranks start on.
struct Demand {
    int ranks = 1;
    bool torch = false;     ///< ranks load libtorch
    int threads = 1;        ///< that compute one operation of a rank
    bool spinning = false;  ///< each rank has a thread that polls without pause
    bool busy = false;      ///< tasks of given durations keep a core instead of sleeping
};

Demand demand_of(const Job& job);

}  // namespace rrfp
